import { isUtf8 } from 'node:buffer';
import { type SigningMistake, withBodies } from '../attempt/signing-attempt.js';
import { jsonSpellings } from './json-spellings.js';
import { listTexts } from './object-texts.js';

export const textMistakes: readonly SigningMistake[] = [
  {
    id: 'body-newlines',
    aspect: 'body',
    description: 'over a body with newlines that were not sent, or without newlines that were sent',
    advice: 'send the file as it is: curl --data-binary @FILE; -d @FILE drops its newlines',
    isAlone: true,
    reproduce: (right) => withBodies(right, otherNewlines(right.body)),
  },
  {
    id: 'body-not-sent',
    aspect: 'body',
    description: 'over a body, although none was sent',
    advice: 'without a body, sign an empty content type and an empty body: not null, {} or "undefined"',
    isAlone: true,
    reproduce: (right) =>
      right.body.byteLength > 0
        ? []
        : withBodies(right, emptyBodies).flatMap((one) => [one, { ...one, contentType: 'application/json' }]),
  },
  {
    id: 'latin-1',
    aspect: 'encoding',
    description: 'over the body in an encoding other than the one sent, such as Latin-1',
    advice: 'encode the body as UTF-8 once, then sign and send the same bytes',
    isAlone: true,
    reproduce: (right) => withBodies(right, otherEncodings(right.body)),
  },
  {
    id: 'byte-order-mark',
    aspect: 'encoding',
    description: 'over a body with a byte order mark that was not sent, or without the one that was sent',
    advice: 'write and read the body as UTF-8 without a byte order mark',
    isAlone: true,
    reproduce: (right) => (right.body.byteLength === 0 ? [] : withBodies(right, [otherMark(right.body)])),
  },
  {
    id: 'json-escapes',
    aspect: 'body',
    description: 'over JSON with escapes other than those sent',
    advice:
      'serialize the body once, then sign and send the same bytes: languages escape / < > & and non-ASCII characters differently',
    reproduce: (right) =>
      withBodies(right, [...jsonSpellings(right.body).escaped, ...otherEscapes(right.body)]),
  },
  {
    id: 'body-not-serialized',
    aspect: 'body',
    description:
      'over an object converted to text, such as [object Object], instead of the JSON that was sent',
    advice: 'serialize the body to JSON once, then sign and send the same bytes',
    isAlone: true,
    reproduce: (right) => withBodies(right, listTexts(right.body)),
  },
  {
    id: 'body-encoded',
    aspect: 'body',
    description: 'over the body in base64 or hexadecimal, or serialized twice',
    advice: 'sign the raw bytes of the body',
    isAlone: true,
    reproduce: ({ body, ...right }) => {
      if (body.byteLength === 0) return [];
      const others = [body.toString('base64'), body.toString('hex'), JSON.stringify(body.toString())];
      return withBodies({ ...right, body }, others);
    },
  },
];

const emptyBodies = ['{}', 'null', '[]', 'undefined', 'None', '""', 'false'];

/** `curl -d @FILE` drops newlines. The body does not show where, so this tries the newlines of indented JSON. */
function otherNewlines(body: Buffer): (Buffer | string)[] {
  const text = body.toString('latin1');
  const without = Buffer.from(text.replace(/[\r\n]/g, ''), 'latin1');
  if (!without.equals(body)) return [without];
  const { compact, pretty } = jsonSpellings(body);
  if (compact.length + pretty.length === 0) return [];
  const indented = pretty.filter((spelling) =>
    Buffer.from(spelling.toString('latin1').replace(/[\r\n]/g, ''), 'latin1').equals(body),
  );
  const broken = Buffer.from(breakLines(text), 'latin1');
  return [...indented, broken].flatMap((one) => [one, Buffer.concat([one, Buffer.from('\n')])]);
}

/** Puts each member on its own line, as people write JSON. */
function breakLines(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[[{,](?= )| +[}\]]?|[}\]]/g, (token) => {
    if (/^"|^ +$/.test(token)) return token;
    return /^[[{,]/.test(token) ? `${token}\n` : `\n${token}`;
  });
}

function otherEncodings(body: Buffer): (Buffer | string)[] {
  if (body.every((byte) => byte < 0x80)) return [];
  if (!isUtf8(body)) return [body.toString('latin1')];
  const text = body.toString('utf8');
  const inLatin1 = [...text].every((character) => character <= '\xff');
  return [
    ...(inLatin1 ? [Buffer.from(text, 'latin1')] : []),
    // Read as Latin-1, then written as UTF-8.
    body.toString('latin1'),
    text.replace(/[\x80-\u{10ffff}]/gu, '?'),
    text.normalize('NFC'),
    text.normalize('NFD'),
    Buffer.from(text, 'utf16le'),
  ];
}

const orderMark = Buffer.from('\ufeff');

function otherMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(orderMark) ? body.subarray(3) : Buffer.concat([orderMark, body]);
}

/** PHP escapes slashes; Go escapes `<`, `>` and `&`; .NET also escapes quotes and plus. */
function otherEscapes(body: Buffer): string[] {
  if (!isUtf8(body)) return [];
  const text = body.toString('utf8');
  const escaped = (signs: RegExp) => text.replace(signs, (sign) => unicodeEscape(sign));
  const others = [
    text.replace(/(?<!\\)\//g, '\\/'),
    text.replaceAll('\\/', '/'),
    escaped(/[<>&]/g),
    escaped(/[<>&\u2028\u2029]/g),
    escaped(/[<>&+'\x7f-\uffff]/g).replaceAll('\\"', '\\u0022'),
    escaped(/[\x7f-\uffff]/g),
    text.replace(/[\x7f-\uffff]/g, (unit) => unicodeEscape(unit)).replace(/(?<!\\)\//g, '\\/'),
    text.replace(/\\u([0-9a-f]{4})/gi, (_escape, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  ].flatMap((other) => [
    other,
    other.replace(/\\u[0-9a-f]{4}/g, (code) => code.toUpperCase().replace('U', 'u')),
  ]);
  return [...new Set(others)];
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
