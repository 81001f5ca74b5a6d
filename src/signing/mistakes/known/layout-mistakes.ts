import { ofPart, type Signed, type SigningMistake, toBytes } from '../mistake.js';

/** Tried after mistakes with the body, because without a body no content type is signed. */
export const contentTypeMistakes: readonly SigningMistake[] = ofPart('contentType', {
  'content-type-missing': {
    description: 'without the content type',
    advice: 'sign the value of Content-Type as the line before the body',
    forms: () => [''],
  },
  charset: {
    description:
      'over the content type with a charset that was not sent, or without the charset that was sent',
    advice: 'sign the value of Content-Type exactly as it is sent; some HTTP libraries add a charset',
    forms: (type) => (type === '' ? [] : withCharsets(readMediaType(type))),
  },
  'content-type-without-body': {
    description: 'over a content type, although there is no body',
    advice: 'leave the Content-Type line empty when there is no body, even if the header is sent',
    forms: (_type, { contentType, body }) =>
      body.byteLength === 0 ? [toBytes(contentType), ...jsonTypes] : [],
  },
  'content-type-line-missing': {
    description: 'without the Content-Type line',
    advice: 'sign five lines: the line before the body is the content type, empty if there is none',
    forms: (_type, _request, right) => (right.body === '' ? [] : [withoutContentType(right)]),
  },
});

function withCharsets(mediaType: string): string[] {
  const charsets = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'];
  return charsets.map((charset) => `${mediaType}${charset}`);
}

const jsonTypes = withCharsets('application/json');

function readMediaType(contentType: string): string {
  return contentType.slice(0, contentType.search(/;|$/)).trim();
}

function withoutContentType({ lines }: Signed): Partial<Signed> {
  return { lines: lines.filter((line) => line !== 'contentType') };
}

/** Mistakes in joining the values. */
export const layoutMistakes: readonly SigningMistake[] = ofPart('separator', {
  'trailing-lines-lost': {
    aspect: 'end',
    description: 'without the empty lines at the end',
    advice: 'join all five values with line feeds, empty ones, too: $(…) and filter(Boolean) drop them',
    forms: (_separator, _request, { body, lines }) =>
      body === '' ? [-2, -1].map((end) => ({ lines: lines.slice(0, end) })) : [],
  },
  'literal-newline': {
    aspect: 'line endings',
    description: 'over a backslash and the letter n instead of line feeds',
    advice: 'join the values with line feeds: printf or $\'\\n\' in a shell, "\\n" in PHP and Ruby',
    forms: () => ['\\n'],
  },
  'no-separator': {
    aspect: 'line endings',
    description: 'over the values without line feeds between them',
    advice: 'join all five values with line feeds',
    forms: (_separator, _request, right) => ['', { ...withoutContentType(right), separator: '' }],
  },
});
