import {
  type ExplainableRequest,
  type SigningAttempt,
  type SigningMistake,
  withoutLine,
} from '../attempt/signing-attempt.js';

/** Tried after mistakes with the body, because without a body no content type is signed. */
export const contentTypeMistakes: readonly SigningMistake[] = [
  {
    id: 'content-type-missing',
    aspect: 'content type',
    description: 'without the content type',
    advice: 'sign the value of Content-Type as the line before the body',
    reproduce: (right) => otherContentTypes(right, ['']),
  },
  {
    id: 'content-type-line-missing',
    aspect: 'content type',
    description: 'without the Content-Type line',
    advice: 'sign five lines: the line before the body is the content type, empty if there is none',
    reproduce: (right) => (right.body.byteLength === 0 ? [] : [withoutLine(right, 'contentType')]),
  },
  {
    id: 'charset',
    aspect: 'content type',
    description:
      'over the content type with a charset that was not sent, or without the charset that was sent',
    advice: 'sign the value of Content-Type exactly as it is sent; some HTTP libraries add a charset',
    reproduce: (right) => otherContentTypes(right, listCharsets(right.contentType)),
  },
  {
    id: 'content-type-not-sent',
    aspect: 'content type',
    description: 'over the content type application/json, which was not sent',
    advice: 'send Content-Type: application/json, or sign the value that is sent',
    reproduce: (right, { body }) => (body.byteLength === 0 ? [] : otherContentTypes(right, jsonTypes)),
  },
  {
    id: 'content-type-without-body',
    aspect: 'content type',
    description: 'over a content type, although there is no body',
    advice: 'leave the Content-Type line empty when there is no body, even if the header is sent',
    reproduce: withoutBody,
  },
];

const charsets = ['', '; charset=utf-8', ';charset=utf-8', '; charset=UTF-8', ';charset=UTF-8'];
const jsonTypes = listCharsets('application/json');

function listCharsets(contentType: string): string[] {
  const mediaType = contentType.slice(0, contentType.search(/;|$/)).trim();
  return mediaType === '' ? [] : charsets.map((charset) => `${mediaType}${charset}`);
}

function otherContentTypes(right: SigningAttempt, contentTypes: readonly string[]): SigningAttempt[] {
  return contentTypes
    .filter((contentType) => contentType !== right.contentType)
    .map((contentType) => ({ ...right, contentType }));
}

function withoutBody(right: SigningAttempt, { contentType, body }: ExplainableRequest): SigningAttempt[] {
  return body.byteLength === 0 ? otherContentTypes(right, [contentType, ...jsonTypes]) : [];
}

/** Without a body, the canonical string ends in empty lines, which are easily lost. */
export const endMistake: SigningMistake = {
  id: 'trailing-lines-lost',
  aspect: 'end',
  description: 'without the empty lines at the end',
  advice:
    'join all five values with line feeds, including empty values: $(…) in a shell drops line feeds at the end, and filter(Boolean) drops empty values',
  reproduce: (right) => {
    if (right.body.byteLength > 0) return [];
    const ends = right.contentType === '' ? [-2, -1] : [-1];
    return ends.map((end) => ({ ...right, lines: right.lines.slice(0, end) }));
  },
};
