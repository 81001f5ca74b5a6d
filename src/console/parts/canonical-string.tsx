/** A visible string of the service as its lines: text, and whether a line feed ends it. */
interface ShownLine {
  readonly text: string;
  readonly at: number;
  readonly isEnded: boolean;
}

interface CanonicalStringProps {
  readonly title: string;
  /** On one line, line feeds as `\n` and a backslash as `\\`. */
  readonly text: string;
  /** The character from which on it is marked. */
  readonly mark: number | undefined;
}

/** The five values that are signed, a line each as they are joined, with their line ends to be seen. */
export function CanonicalString({ title, text, mark }: CanonicalStringProps) {
  return (
    <figure class="canonical">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0}>
        {linesOf(text).map(({ text, at, isEnded }) => (
          <code key={at}>
            <Marked text={text} from={mark === undefined ? text.length : mark - at} />
            {isEnded && (
              <span class={mark !== undefined && mark <= at + text.length ? 'end mark' : 'end'}>\n</span>
            )}
            {'\n'}
          </code>
        ))}
      </pre>
    </figure>
  );
}

function Marked({ text, from }: { readonly text: string; readonly from: number }) {
  if (from >= text.length) return <>{text}</>;
  const start = Math.max(0, from);
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start)}</mark>
    </>
  );
}

/** Cut after each `\n` that is a line feed, and not a backslash with an n. */
function linesOf(text: string): ShownLine[] {
  const lines: ShownLine[] = [];
  let start = 0;
  for (const { 0: escaped, index } of text.matchAll(/\\./gs)) {
    if (escaped !== '\\n') continue;
    lines.push({ text: text.slice(start, index), at: start, isEnded: true });
    start = index + escaped.length;
  }
  return [...lines, { text: text.slice(start), at: start, isEnded: false }];
}
