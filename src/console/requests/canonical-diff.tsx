interface CanonicalDiffProps {
  /** One line, with line feeds as `\n` and backslashes as `\\`. */
  readonly expected: string;
  readonly signed?: string | undefined;
}

export const targetName = 'path and query';

const parts = ['method', targetName, 'timestamp', 'content type', 'body'] as const;

export function CanonicalDiff({ expected, signed }: CanonicalDiffProps) {
  const wanted = splitParts(expected);
  const given = signed === undefined ? undefined : alignParts(splitParts(signed), wanted);
  return (
    <table class="diff">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Expected</th>
          {given && <th scope="col">Your client signed</th>}
        </tr>
      </thead>
      <tbody>
        {parts.map((part, at) => {
          const isOther = given !== undefined && given[at] !== wanted[at];
          return (
            <tr key={part} class={isOther ? 'differs' : ''}>
              <th scope="row">{part}</th>
              <td data-side="expected">
                <Value text={wanted[at]} other={isOther ? given[at] : undefined} isOther={isOther} />
              </td>
              {given && (
                <td data-side="signed">
                  <Value text={given[at]} other={wanted[at]} isOther={isOther} />
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface ValueProps {
  /** Includes the line ending; `undefined` for an omitted part. */
  readonly text: string | undefined;
  readonly other: string | undefined;
  readonly isOther: boolean;
}

function Value({ text, other = '', isOther }: ValueProps) {
  if (text === undefined) return <mark>missing</mark>;
  const [start, end] = isOther ? findDifference(text, other) : [text.length, text.length];
  return (
    <code>
      <Visible text={text.slice(0, start)} isOther={isOther} />
      {start < end && (
        <mark>
          <Visible text={text.slice(start, end)} isOther />
        </mark>
      )}
      <Visible text={text.slice(end)} isOther={isOther} />
    </code>
  );
}

/** Highlights trailing line endings and, where parts differ, all line endings, tabs and spaces. */
function Visible({ text, isOther }: { readonly text: string; readonly isOther: boolean }) {
  const pieces = text.split(isOther ? /((?:\\[nrt])+| )/ : /((?:\\[nrt])+$)/);
  return (
    <>
      {pieces.map((piece, at) =>
        at % 2 === 0 ? (
          piece
        ) : (
          <span class="white" key={at}>
            {piece === ' ' ? '·' : piece}
          </span>
        ),
      )}
    </>
  );
}

function findDifference(text: string, other: string): readonly [start: number, end: number] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && text[text.length - 1 - end] === other[other.length - 1 - end]) end += 1;
  // The difference does not start within an escape sequence.
  const cut = /\\(?:x[0-9a-f]{0,2}|u\{[0-9a-f]*)?$/.exec(text.slice(0, start));
  return [cut === null ? start : cut.index, text.length - end];
}

/** Cuts after each of the first four line endings; the rest is the body, which may contain more. */
function splitParts(text: string): string[] {
  const found: string[] = [];
  let start = 0;
  for (const { 0: escaped, index } of text.matchAll(/\\r\\n|\\./gs)) {
    if (found.length === parts.length - 1) break;
    if (!escaped.endsWith('\\n') || escaped === '\\\\') continue;
    found.push(text.slice(start, index + escaped.length));
    start = index + escaped.length;
  }
  return [...found, text.slice(start)];
}

/** Inserts `undefined` for the content type if the client signed no line for it. */
function alignParts(given: readonly string[], wanted: readonly string[]): readonly (string | undefined)[] {
  const [body] = wanted.slice(-1);
  const isWithoutType = given.length === parts.length - 1 && body !== '' && given.at(-1) === body;
  return isWithoutType ? [...given.slice(0, -1), undefined, body] : given;
}
