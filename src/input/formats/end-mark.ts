import { MalformedText, placeIn } from './malformed-text.js';

export const endOfDocument = '...';

/** A comment that `export` writes into its file, because YAML that is cut off after a line may still be valid. */
export const endMark = `# The last line is "${endOfDocument}". Without it orgctl refuses the file as truncated.`;

/** @throws MalformedText for a text with `endMark`, but without the last line */
export function assertWhole(text: string): void {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const head = lines.slice(
    0,
    lines.findIndex((line) => line !== '' && !line.startsWith('#')),
  );
  if (!head.includes(endMark)) return;
  const last = lines.findLast((line) => line !== '' && !line.startsWith('#'));
  if (last === endOfDocument) return;
  throw new MalformedText(
    `the file is truncated: its last line is not "${endOfDocument}". If nothing is missing, add that line`,
    placeIn(text, text.length),
  );
}

/**
 * For YAML that changes a service, after it was parsed: a cut within a line may leave another value, such as half a
 * name. A document in brackets ends with the last one.
 * @throws MalformedText for a last line without a line break, unless it ends the document
 */
export function assertLastLine(text: string): void {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  if (last === '' || last.trimEnd() === endOfDocument || /^\s*[[{].*[\]}]\s*$/s.test(text)) return;
  throw new MalformedText(
    'the file may be truncated: its last line has no line break. If nothing is missing, add one',
    placeIn(text, text.length),
  );
}
