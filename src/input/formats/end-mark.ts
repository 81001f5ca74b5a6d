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
