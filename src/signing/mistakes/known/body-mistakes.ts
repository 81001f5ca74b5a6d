import { createHash } from 'node:crypto';
import { about, aboutPart, type SigningMistake } from '../mistake.js';
import { readBytes, toBytes } from '../signed.js';
import { escapeUnits, jsonSpellings, nonAscii } from './json-spellings.js';

const serializeOnce = 'serialize the body once, then sign and send the same bytes';

export const bodyMistakes: readonly SigningMistake[] = [
  ...about('body', [
    {
      id: 'body-missing',
      description: 'without the body',
      advice: 'sign the bytes of the body as the last line',
      forms: () => [{ body: '' }],
    },
    {
      // A row of its own, because with both missing, clients often make another mistake, such as lost empty lines.
      id: 'type-and-body-missing',
      description: 'without the body and its content type',
      advice: 'sign the value of Content-Type as the fourth line, and the bytes of the body as the last line',
      forms: (right) =>
        right.contentType === '' || right.body === '' ? [] : [{ contentType: '', body: '' }],
    },
  ]),
  ...aboutPart('body', 'body', [
    {
      id: 'body-compact',
      description: 'over the body re-serialized without whitespace',
      clause: 'the body was re-serialized without whitespace before signing',
      advice: serializeOnce,
      forms: (body, request) => jsonSpellings(body, request).compact,
    },
    {
      id: 'body-pretty',
      description: 'over the body re-serialized with whitespace',
      clause: 'the body was re-serialized with whitespace before signing',
      advice: serializeOnce,
      forms: (body, request) => jsonSpellings(body, request).pretty,
    },
    {
      id: 'keys-reordered',
      description: 'over the body with its JSON keys in another order',
      advice: `${serializeOnce}; do not sort its keys`,
      forms: (body, request) => jsonSpellings(body, request).reordered,
    },
  ]),
  ...aboutPart('end', 'body', [
    {
      id: 'trailing-newline',
      description: 'over a body with more or fewer trailing newlines than were sent',
      advice:
        'sign the body to its last byte and nothing after it: printf %s, not echo; --data-binary, not --data',
      forms: (body) => [`${body}\n`, `${body}\r\n`, body.replace(/\r?\n$/, ''), withoutLineEnds(body)],
    },
  ]),
  ...about('line endings', [
    {
      id: 'crlf',
      description: 'over line endings other than those sent: CRLF or CR instead of LF, or LF instead of CRLF',
      advice: 'join the lines with single line feeds, and sign the body with the line endings that you send',
      forms: ({ body }) => {
        const lf = body.replace(/\r\n?/g, '\n');
        return ['\r\n', '\r'].flatMap((separator) => {
          const other = lf.replaceAll('\n', separator);
          return [
            { separator },
            { separator, body: other },
            { separator, body: lf },
            { body: other },
            { body: lf },
          ];
        });
      },
    },
  ]),
  ...aboutPart('body hash', 'body', [
    {
      id: 'body-hashed',
      description: 'over a hash of the body instead of the body',
      advice: 'sign the bytes of the body, not their hash',
      forms: (body) =>
        ['sha256', 'md5'].flatMap((algorithm) => {
          const hash = createHash(algorithm).update(body, 'latin1').digest();
          return [hash.toString('hex'), hash.toString('base64')];
        }),
    },
  ]),
  ...about('body', [
    {
      id: 'body-not-sent',
      description: 'over a body, although none was sent',
      advice: 'without a body, sign an empty content type and an empty body: not null, {} or "undefined"',
      isAlone: true,
      forms: ({ body: sent }) =>
        (sent === '' ? emptyBodies : []).flatMap((body) => [
          { body },
          { body, contentType: 'application/json' },
        ]),
    },
  ]),
  ...aboutPart('body', 'body', [
    {
      id: 'body-newlines',
      description: 'over a body with newlines that were not sent, or without newlines that were sent',
      advice: 'send the file as it is: curl --data-binary @FILE; -d @FILE drops its newlines',
      isAlone: true,
      forms: (body, request) => {
        const { pretty } = jsonSpellings(body, request);
        const broken = pretty.filter((one) => withoutNewlines(one) === body);
        return [withoutNewlines(body), ...broken.flatMap((one) => [one, `${one}\n`])];
      },
    },
  ]),
  ...aboutPart('encoding', 'body', [
    {
      id: 'unicode-form',
      description: 'over the body with its accents composed otherwise (NFC, NFD) than in the body sent',
      advice: 'sign and send the same bytes; normalize text before serializing it, or not at all',
      isAlone: true,
      forms: (body) => ['NFC', 'NFD'].map((form) => toBytes((readBytes(body) ?? '').normalize(form))),
    },
    {
      id: 'latin-1',
      description: 'over the body in an encoding other than the one sent, such as Latin-1',
      advice: 'encode the body as UTF-8 once, then sign and send the same bytes',
      isAlone: true,
      forms: listEncodings,
    },
    {
      id: 'byte-order-mark',
      description: 'over a body with a byte order mark that was not sent, or without the one that was sent',
      advice: 'write and read the body as UTF-8 without a byte order mark',
      isAlone: true,
      forms: (body) => [body.startsWith(orderMark) ? body.slice(orderMark.length) : `${orderMark}${body}`],
    },
  ]),
  ...aboutPart('body', 'body', [
    {
      id: 'json-escapes',
      description: 'over JSON with escapes other than those sent',
      advice: `${serializeOnce}: languages escape / < > & and non-ASCII characters differently`,
      forms: (body, request) => [...jsonSpellings(body, request).escaped, ...listEscapes(body)],
    },
  ]),
];

const emptyBodies = ['{}', 'null', '[]', 'undefined', 'None', '""', 'false'];
const orderMark = toBytes('\ufeff');

function withoutNewlines(body: string): string {
  return body.replace(/[\r\n]/g, '');
}

// A regular expression would take quadratic time on many line feeds.
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

function listEncodings(body: string): string[] {
  if (/^[\0-\x7f]*$/.test(body)) return [];
  // Read as Latin-1, then written as UTF-8.
  const twice = toBytes(body);
  const text = readBytes(body);
  if (text === undefined) return [twice];
  const inLatin1 = /^[\0-\xff]*$/.test(text) ? [text] : [];
  const inUtf16 = Buffer.from(text, 'utf16le').toString('latin1');
  return [...inLatin1, twice, text.replace(/[\x80-\u{10ffff}]/gu, '?'), inUtf16];
}

/** PHP escapes slashes; Go escapes `<`, `>` and `&`; .NET also escapes quotes and plus. */
function listEscapes(body: string): string[] {
  const text = readBytes(body) ?? '';
  const slashes = (json: string) => json.replace(/(?<!\\)\//g, '\\/');
  const inAscii = escapeUnits(text, nonAscii);
  const others = [
    slashes(text),
    text.replaceAll('\\/', '/'),
    escapeUnits(text, /[<>&]/g),
    escapeUnits(text, /[<>&\u2028\u2029]/g),
    escapeUnits(text, /[<>&+'\x7f-\uffff]/g).replaceAll('\\"', '\\u0022'),
    inAscii,
    slashes(inAscii),
    text.replace(/\\u([0-9a-f]{4})/gi, (_escape, code) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  const inUpperCase = (json: string) => json.replace(/(?<=\\u)[0-9a-f]{4}/g, (code) => code.toUpperCase());
  return others.flatMap((other) => [toBytes(other), toBytes(inUpperCase(other))]);
}
