import {
  type SignedLine,
  type SigningAttempt,
  type SigningMistake,
  signedLines,
  withoutLine,
} from '../attempt/signing-attempt.js';
import { permutations } from './permutations.js';

export const layoutMistakes: readonly SigningMistake[] = [
  {
    id: 'literal-newline',
    aspect: 'line endings',
    description: 'over a backslash and the letter n instead of line feeds',
    advice: 'join the values with line feeds: printf or $\'\\n\' in a shell, "\\n" in PHP and Ruby',
    reproduce: (right) => [{ ...right, separator: '\\n' }],
  },
  {
    id: 'no-separator',
    aspect: 'line endings',
    description: 'over the values without line feeds between them',
    advice: 'join all five values with line feeds',
    reproduce: (right) => [right, ...withoutContentType(right)].map((one) => ({ ...one, separator: '' })),
  },
  {
    id: 'other-separator',
    aspect: 'line endings',
    description: 'over the values with separators other than line feeds',
    advice: 'join all five values with line feeds',
    isAlone: true,
    reproduce: (right) =>
      [right, ...withoutContentType(right)].flatMap((one) =>
        otherSeparators.map((separator) => ({ ...one, separator })),
      ),
  },
  {
    id: 'wrong-order',
    aspect: 'layout',
    description: 'over the values in another order',
    advice: 'sign in this order: method, path and query, timestamp, content type, body',
    isAlone: true,
    reproduce: (right) =>
      otherOrders.flatMap((lines) => ['\n', ''].map((separator) => ({ ...right, lines, separator }))),
  },
  ...(['method', 'target', 'timestamp'] as const).map((line) => withoutPart(line)),
  {
    id: 'key-id-signed',
    aspect: 'layout',
    description: 'over a string with the key ID in it',
    advice: 'sign method, path and query, timestamp, content type and body; the key ID is not signed',
    isAlone: true,
    reproduce: (right) =>
      right.keyId === ''
        ? []
        : [0, 1, 2, 3, right.lines.length].map((at) => ({
            ...right,
            lines: [...right.lines.slice(0, at), 'keyId', ...right.lines.slice(at)],
          })),
  },
  {
    id: 'body-alone',
    aspect: 'layout',
    description: 'over only the body, or only timestamp and body, like a webhook',
    advice: 'sign method, path and query, timestamp, content type and body, joined with line feeds',
    isAlone: true,
    reproduce: (right) => [
      { ...right, lines: ['body'] },
      ...['\n', '.', '', ':'].map((separator) => ({
        ...right,
        separator,
        lines: ['timestamp', 'body'] as const,
      })),
    ],
  },
];

const otherSeparators = [' ', ',', ':', '|', '.', ';', '&', '+', '-', '/', '\t', '\n\n', '\0'];

/** Also without the content type, which some services do not sign. */
const otherOrders: readonly (readonly SignedLine[])[] = [
  ...permutations(signedLines),
  ...permutations(signedLines.filter((line) => line !== 'contentType')),
].filter((lines) => lines.join() !== signedLines.filter((line) => lines.includes(line)).join());

function withoutContentType(right: SigningAttempt): SigningAttempt[] {
  return right.contentType === '' ? [] : [withoutLine(right, 'contentType')];
}

function withoutPart(line: 'method' | 'target' | 'timestamp'): SigningMistake {
  const name = line === 'target' ? 'path and query' : line;
  return {
    id: `${line}-missing`,
    aspect: 'layout',
    description: `without the ${name} line`,
    advice: `sign five lines: one of them is the ${name}`,
    isAlone: true,
    reproduce: (right) => {
      const without = withoutLine(right, line);
      return [without, ...withoutContentType(without)];
    },
  };
}
