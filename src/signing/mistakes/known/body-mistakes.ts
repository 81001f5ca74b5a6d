import { createHash } from 'node:crypto';
import { ofPart, readBytes, type SigningMistake, toBytes } from '../mistake.js';
import { jsonSpellings } from './json-spellings.js';

const serializeOnce = 'serialize the body once, then sign and send the same bytes';

export const bodyMistakes: readonly SigningMistake[] = ofPart('body', {
  'body-missing': {
    description: 'without the body',
    advice: 'sign the bytes of the body as the last line',
    forms: () => [''],
  },
  'json-escapes': {
    description: 'over JSON with escapes other than those sent',
    advice: `${serializeOnce}: languages escape / < > & and non-ASCII characters differently`,
    forms: (body, request) => jsonSpellings(body, request).escaped,
  },
  'body-compact': {
    description: 'over the body re-serialized without whitespace',
    clause: 'the body was re-serialized without whitespace before signing',
    advice: serializeOnce,
    forms: (body, request) => jsonSpellings(body, request).compact,
  },
  'body-pretty': {
    description: 'over the body re-serialized with whitespace',
    clause: 'the body was re-serialized with whitespace before signing',
    advice: serializeOnce,
    forms: (body, request) => jsonSpellings(body, request).pretty,
  },
  'keys-reordered': {
    description: 'over the body with its JSON keys in another order',
    advice: `${serializeOnce}; do not sort its keys`,
    forms: (body, request) => jsonSpellings(body, request).reordered,
  },
  'trailing-newline': {
    aspect: 'end',
    description: 'over a body with more or fewer trailing newlines than were sent',
    advice:
      'sign the body to its last byte and nothing after it: printf %s, not echo; --data-binary, not --data',
    forms: (body) => [`${body}\n`, `${body}\r\n`, body.replace(/\r?\n$/, ''), withoutLineEnds(body)],
  },
  crlf: {
    aspect: 'line endings',
    description: 'over line endings other than those sent: CRLF or CR instead of LF, or LF instead of CRLF',
    advice: 'join the lines with single line feeds, and sign the body with the line endings that you send',
    forms: (body) => {
      const lf = body.replace(/\r\n?/g, '\n');
      return ['\r\n', '\r'].flatMap((separator) => {
        const other = lf.replaceAll('\n', separator);
        return [{ separator }, { separator, body: other }, { separator, body: lf }, other, lf];
      });
    },
  },
  'body-hashed': {
    aspect: 'body hash',
    description: 'over a hash of the body instead of the body',
    advice: 'sign the bytes of the body, not their hash',
    forms: (body) => {
      const hash = createHash('sha256').update(body, 'latin1').digest();
      return [hash.toString('hex'), hash.toString('base64')];
    },
  },
  'unicode-form': {
    description: 'over the body with its accents composed otherwise (NFC, NFD) than in the body sent',
    advice: 'sign and send the same bytes; normalize text before serializing it, or not at all',
    isAlone: true,
    forms: (body) => ['NFC', 'NFD'].map((form) => toBytes((readBytes(body) ?? '').normalize(form))),
  },
});

// A regular expression would take quadratic time on many line feeds.
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}
