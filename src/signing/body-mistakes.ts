import { jsonSpellings } from './json-spellings.js';
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
