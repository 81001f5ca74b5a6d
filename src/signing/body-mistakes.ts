import type { SigningAttempt, SigningMistake } from './signing-attempt.js';

/** Mistakes about the body, and about line ends, which the body shares with the rest of the canonical string. */
export const bodyMistakes: readonly SigningMistake[] = [
  {
    id: 'body-missing',
    description: 'without the body',
    // Who forgets the body may take the request for one without a body, and leave its content type out too.
    reproduce: (right) =>
      otherBodies(right, [Buffer.alloc(0)]).flatMap((attempt) => [attempt, { ...attempt, contentType: '' }]),
  },
  {
    id: 'trailing-newline',
    description: 'over a body with a trailing newline more or less than was sent',
    reproduce: (right) => otherBodies(right, trailingNewlines(right.body)),
  },
  {
    id: 'body-compact',
    description: 'over the body serialised anew, without spaces',
    reproduce: (right) => otherBodies(right, (jsonSpellings(right.body)?.compact ?? []).map(utf8)),
  },
  {
    id: 'body-pretty',
    description: 'over the body serialised anew, with spaces or indents',
    reproduce: (right) => otherBodies(right, (jsonSpellings(right.body)?.pretty ?? []).map(utf8)),
  },
  {
    id: 'crlf',
    description: 'over other line ends: CRLF instead of LF, or LF where CRLF was sent',
    reproduce: (right) => {
      const joined = { ...right, separator: '\r\n' };
      const bodies = otherLineEnds(right.body);
      return [joined, ...otherBodies(joined, bodies), ...otherBodies(right, bodies)];
    },
  },
];

function otherBodies(right: SigningAttempt, bodies: readonly Buffer[]): SigningAttempt[] {
  return bodies.filter((body) => !body.equals(right.body)).map((body) => ({ ...right, body }));
}

function trailingNewlines(body: Buffer): Buffer[] {
  const text = body.toString('latin1');
  return [`${text}\n`, `${text}\r\n`, text.replace(/\r?\n$/, ''), withoutLineEnds(text)].map(latin1);
}

// A regular expression would take quadratic time over a body of many line feeds.
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function otherLineEnds(body: Buffer): Buffer[] {
  const lf = body.toString('latin1').replaceAll('\r\n', '\n');
  return [lf, lf.replaceAll('\n', '\r\n')].map(latin1);
}

/** Latin-1 maps every byte to one character and back, so it can edit bytes as text whatever they mean. */
function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function utf8(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

/** The ways in which programs write one JSON value; a body signed in one and sent in another does not verify. */
interface JsonSpellings {
  readonly compact: readonly string[];
  /** With spaces, or with lines and indents. */
  readonly pretty: readonly string[];
}

/** Larger bodies are not written anew: it would hold up a server for longer than the answer is worth. */
const maxBytes = 65_536;

/**
 * Other spellings of a JSON body, those of JavaScript's `JSON.stringify` and Python's `json.dumps`; `undefined` when
 * the body is not JSON, or over 64 KiB.
 */
function jsonSpellings(body: Uint8Array): JsonSpellings | undefined {
  if (body.byteLength > maxBytes) return undefined;
  const original = Buffer.from(body).toString('utf8');
  const value = rewritable(original);
  if (value === undefined) return undefined;
  const compact = JSON.stringify(value);
  const pretty = [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
  return { compact: others([compact], original), pretty: others([spaced(value), ...pretty], original) };
}

function others(spellings: readonly string[], original: string): string[] {
  const all = new Set([...spellings, ...spellings.map(escapeNonAscii)]);
  all.delete(original);
  return [...all];
}

/** `{"a": [1, 2]}`: no string in JSON holds a raw line feed, so each one is an indent. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the text stands for, `undefined` when it is not JSON: a body of another kind has no other spellings. */
function rewritable(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Nesting that can be read can be too deep to be written.
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
