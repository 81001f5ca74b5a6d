import { about, aboutPart, type SigningMistake } from '../mistake.js';
import { type Signed, type SignedLine, signedLines, toBytes } from '../signed.js';
import { permutations } from './permutations.js';

/** Tried after mistakes with the body, because without a body no content type is signed. */
export const contentTypeMistakes: readonly SigningMistake[] = [
  ...about('content type', [
    {
      id: 'content-type-missing',
      description: 'without the content type',
      advice: 'sign the value of Content-Type as the line before the body',
      forms: () => [{ contentType: '' }],
    },
    {
      id: 'content-type-line-missing',
      description: 'without the Content-Type line',
      advice: 'sign five lines: the line before the body is the content type, empty if there is none',
      forms: (right) => (right.body === '' ? [] : [withoutContentType(right)]),
    },
  ]),
  ...aboutPart('content type', 'contentType', [
    {
      id: 'boundary-missing',
      description: 'over a multipart content type without its boundary',
      advice: 'build the multipart body first, then sign and send its content type with the boundary',
      forms: (type) =>
        hasBoundary(type) ? [readMediaType(type), type.replace(/;\s*boundary=[^;]*/i, '')] : [],
    },
    {
      id: 'charset',
      description:
        'over the content type with a charset that was not sent, or without the charset that was sent',
      advice: 'sign the value of Content-Type exactly as it is sent; some HTTP libraries add a charset',
      forms: (type) => (type === '' || hasBoundary(type) ? [] : withCharsets(readMediaType(type))),
    },
    {
      id: 'content-type-not-sent',
      description: 'over the content type application/json, which was not sent',
      advice: 'send Content-Type: application/json, or sign the value that is sent',
      forms: (_type, { body }) => (body.byteLength === 0 ? [] : jsonTypes),
    },
    {
      id: 'content-type-without-body',
      description: 'over a content type, although there is no body',
      advice: 'leave the Content-Type line empty when there is no body, even if the header is sent',
      forms: (_type, { contentType, body }) =>
        body.byteLength === 0 ? [toBytes(contentType), ...jsonTypes] : [],
    },
  ]),
];

function withCharsets(mediaType: string): string[] {
  const charsets = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'];
  return charsets.map((charset) => `${mediaType}${charset}`);
}

const jsonTypes = withCharsets('application/json');

function readMediaType(contentType: string): string {
  return contentType.slice(0, contentType.search(/;|$/)).trim();
}

function hasBoundary(contentType: string): boolean {
  return /^multipart\/[^;]*;.*boundary=/i.test(contentType);
}

function withoutContentType({ lines }: Signed): Partial<Signed> {
  return { lines: lines.filter((line) => line !== 'contentType') };
}

/** How the five values are joined. */
export const layoutMistakes: readonly SigningMistake[] = [
  ...about('end', [
    {
      id: 'trailing-lines-lost',
      description: 'without the empty lines at the end',
      advice: 'join all five values with line feeds, empty ones, too: $(…) and filter(Boolean) drop them',
      forms: ({ contentType, body, lines }) => {
        if (body !== '') return [];
        const ends = contentType === '' ? [-2, -1] : [-1];
        return ends.map((end) => ({ lines: lines.slice(0, end) }));
      },
    },
  ]),
  ...about('line endings', [
    {
      id: 'literal-newline',
      description: 'over a backslash and the letter n instead of line feeds',
      advice: 'join the values with line feeds: printf or $\'\\n\' in a shell, "\\n" in PHP and Ruby',
      forms: () => [{ separator: '\\n' }],
    },
    {
      id: 'no-separator',
      description: 'over the values without line feeds between them',
      advice: 'join all five values with line feeds',
      forms: (right) => [{ separator: '' }, { ...withoutContentType(right), separator: '' }],
    },
  ]),
  ...about('layout', [
    {
      id: 'wrong-order',
      description: 'over the values in another order',
      advice: 'sign in this order: method, path and query, timestamp, content type, body',
      isAlone: true,
      forms: () => otherOrders.flatMap((lines) => ['\n', ''].map((separator) => ({ lines, separator }))),
    },
  ]),
];

/** Also without the content type, which some services do not sign. */
const otherOrders: readonly (readonly SignedLine[])[] = [
  ...permutations(signedLines).slice(1),
  ...permutations(signedLines.filter((line) => line !== 'contentType')).slice(1),
];
