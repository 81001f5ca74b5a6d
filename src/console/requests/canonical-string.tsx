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
  /** The character from which on its line is marked. */
  readonly mark?: number | undefined;
  /** Whether its lines are those of the reference; what was signed by mistake may have others. */
  readonly isNamed?: boolean;
}

/** What is signed, in its order (reference, section 5); the body may have lines of its own. */
const parts = ['method', 'target', 'timestamp', 'content type', 'body'];

/** The values that are signed, a line each as they are joined, with their line ends to be seen. */
export function CanonicalString({ title, text, mark, isNamed = false }: CanonicalStringProps) {
  return (
    <figure class={isNamed ? 'canonical named' : 'canonical'}>
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0}>
        {splitLines(text).map((line, at) => (
          <code key={line.at} data-part={isNamed ? (parts[at] ?? '') : undefined}>
            <CanonicalLine {...line} mark={mark} />
          </code>
        ))}
      </pre>
    </figure>
  );
}

function CanonicalLine({ text, at, isEnded, mark }: ShownLine & { readonly mark: number | undefined }) {
  const from = mark === undefined ? -1 : mark - at;
  const isMarked = from >= 0 && from <= text.length;
  return (
    <>
      {isMarked ? text.slice(0, from) : text}
      {isMarked && <mark>{text.slice(from)}</mark>}
      {isEnded && <span class={isMarked ? 'end mark' : 'end'}>\n</span>}
      {'\n'}
    </>
  );
}

/** Cut after each `\n` that is a line feed, and not a backslash with an n. */
function splitLines(text: string): ShownLine[] {
  const lines: ShownLine[] = [];
  let start = 0;
  for (const { 0: escaped, index } of text.matchAll(/\\./gs)) {
    if (escaped !== '\\n') continue;
    lines.push({ text: text.slice(start, index), at: start, isEnded: true });
    start = index + escaped.length;
  }
  return [...lines, { text: text.slice(start), at: start, isEnded: false }];
}
