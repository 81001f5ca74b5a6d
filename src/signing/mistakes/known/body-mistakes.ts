import { createHash } from 'node:crypto';
import { type SigningMistake, withBodies } from '../attempt/signing-attempt.js';
import { jsonSpellings } from './json-spellings.js';

export const bodyMistakes: readonly SigningMistake[] = [
  {
    id: 'get-with-body',
    aspect: 'body',
    description: 'without the body, which was sent with GET',
    advice: 'send no body and no Content-Type with GET, or sign both',
    reproduce: (right) =>
      right.method === 'GET' && right.body.byteLength > 0
        ? [{ ...right, body: Buffer.alloc(0), contentType: '' }]
        : [],
  },
  {
    id: 'body-missing',
    aspect: 'body',
    description: 'without the body',
    advice: 'sign the bytes of the body as the last line',
    reproduce: (right) => withBodies(right, [Buffer.alloc(0)]),
  },
  {
    // A mistake of its own, because with both missing, clients often make another one, such as lost empty lines.
    id: 'type-and-body-missing',
    aspect: 'body',
    description: 'without the body and its content type',
    advice: 'sign the value of Content-Type as the fourth line, and the bytes of the body as the last line',
    reproduce: (right) =>
      right.contentType === ''
        ? []
        : withBodies(right, [Buffer.alloc(0)]).map((one) => ({ ...one, contentType: '' })),
  },
  {
    id: 'body-compact',
    aspect: 'body',
    description: 'over the body re-serialized without whitespace',
    clause: 'the body was re-serialized without whitespace before signing',
    advice: 'serialize the body once, then sign and send the same bytes',
    reproduce: (right) => withBodies(right, jsonSpellings(right.body).compact),
  },
  {
    id: 'body-pretty',
    aspect: 'body',
    description: 'over the body re-serialized with whitespace',
    clause: 'the body was re-serialized with whitespace before signing',
    advice: 'serialize the body once, then sign and send the same bytes',
    reproduce: (right) => withBodies(right, jsonSpellings(right.body).pretty),
  },
  {
    id: 'keys-reordered',
    aspect: 'body',
    description: 'over the body with its JSON keys in another order',
    advice: 'serialize the body once, then sign and send the same bytes; do not sort its keys',
    reproduce: (right) => withBodies(right, jsonSpellings(right.body).reordered),
  },
  {
    id: 'numbers-rewritten',
    aspect: 'body',
    description: 'over JSON with numbers written differently from those sent',
    advice: 'serialize the body once, then sign and send the same bytes: JavaScript writes 2.0 as 2',
    isAlone: true,
    reproduce: (right) => withBodies(right, jsonSpellings(right.body).renumbered),
  },
  {
    id: 'trailing-newline',
    aspect: 'end',
    description: 'over a body with more or fewer trailing newlines than were sent',
    advice:
      'sign the body to its last byte and nothing after it: printf %s, not echo; --data-binary, not --data',
    reproduce: (right) => withBodies(right, trailingNewlines(right.body)),
  },
  {
    id: 'crlf',
    aspect: 'line endings',
    description: 'over CRLF line endings instead of LF, or LF line endings instead of CRLF',
    advice: 'join the lines with single line feeds, and sign the body with the line endings that you send',
    reproduce: (right) => {
      const joined = { ...right, separator: '\r\n' };
      const bodies = otherLineEndings(right.body);
      return [joined, ...withBodies(joined, bodies), ...withBodies(right, bodies)];
    },
  },
  {
    id: 'body-hashed',
    aspect: 'body hash',
    description: 'over a hash of the body instead of the body',
    advice: 'sign the bytes of the body, not their hash',
    reproduce: (right) => {
      const hashes = ['sha256', 'md5'].map((algorithm) => createHash(algorithm).update(right.body).digest());
      return withBodies(
        right,
        hashes.flatMap((hash) => [hash.toString('hex'), hash.toString('base64')]),
      );
    },
  },
];

function trailingNewlines(body: Buffer): Buffer[] {
  const text = body.toString('latin1');
  return [`${text}\n`, `${text}\r\n`, text.replace(/\r?\n$/, ''), withoutLineEndings(text)].map(latin1);
}

// A regular expression would take quadratic time on many line feeds.
function withoutLineEndings(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

function otherLineEndings(body: Buffer): Buffer[] {
  const lf = body.toString('latin1').replaceAll('\r\n', '\n');
  return [lf, lf.replaceAll('\n', '\r\n')].map(latin1);
}

/** One character per byte, to edit any bytes as text. */
function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
