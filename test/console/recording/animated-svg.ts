import type { ScreenRun } from './screen-text.js';

/** Seconds until the recording begins again. */
const duration = 20;

/** Something that appears at a moment, in seconds, and stays, or disappears again. */
interface Timed {
  readonly at: number;
  readonly until?: number;
}

export interface TypedLine extends Timed {
  readonly command: string;
  /** Seconds that the typing takes. */
  readonly takes: number;
}

export interface PrintedLine extends Timed {
  readonly runs: readonly ScreenRun[];
}

export interface TerminalWindow {
  readonly title: string;
  readonly y: number;
  readonly height: number;
  readonly lines: readonly (TypedLine | PrintedLine)[];
}

export interface ConsoleShot extends Timed {
  /** Data URIs. */
  readonly light: string;
  readonly dark: string;
}

const size = { width: 1080, height: 560 };
const terminal = { x: 1, width: 506 };
const browser = { x: 520, y: 1, width: 559, height: 558 };
const bar = 28;
const cell = { width: 6.62, height: 16 };

export const shotSize = { width: browser.width, height: browser.height - bar };

/** An SVG that a page shows as an image: no script, nothing from elsewhere, and still for whoever wants no motion. */
export function drawRecording(
  windows: readonly TerminalWindow[],
  shots: readonly ConsoleShot[],
  title: string,
): string {
  const drawing = new Drawing();
  const content = [...windows.map((window) => drawing.window(window)), drawing.browser(shots)].join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="${escapeXml(title)}">
<title>${escapeXml(title)}</title>
<style>
${style}
@media (prefers-reduced-motion: no-preference) {
${drawing.keyframes()}
}
</style>
${content}
</svg>
`;
}

const style = `text { font: 11px ui-monospace, SFMono-Regular, "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d7dde5; white-space: pre }
.frame { fill: #14181f; stroke: #39414d }
.cover { fill: #14181f; opacity: 0 }
.bar { fill: #232a34 }
.dot { fill: #4a5462 }
.title { fill: #a6b0be; font-family: system-ui, sans-serif; text-anchor: middle }
.prompt { fill: #72d399 }
.bold { font-weight: 700 } .dim { fill: #97a2b0 } .red { fill: #ff8a80 } .green { fill: #72d399 } .yellow { fill: #ebbd62 } .blue { fill: #82b1ff } .magenta { fill: #d6a5ff } .cyan { fill: #74d0e0 }
.dark { display: none }
@media (prefers-color-scheme: dark) { .dark { display: inline } .light { display: none } }`;

class Drawing {
  readonly #rules: string[] = [];

  keyframes(): string {
    return this.#rules.join('\n');
  }

  window({ title, y, height, lines }: TerminalWindow): string {
    const { x, width } = terminal;
    const clip = `clip${y}`;
    return [
      frame(x, y, width, height, title),
      `<clipPath id="${clip}"><rect x="${x + 1}" y="${y + bar}" width="${width - 2}" height="${height - bar - 1}"/></clipPath>`,
      `<g clip-path="url(#${clip})">`,
      ...lines.map((line, at) => this.#line(line, x + 14, y + bar + 20 + at * cell.height)),
      '</g>',
    ].join('\n');
  }

  browser(shots: readonly ConsoleShot[]): string {
    const { x, y, width, height } = browser;
    const place = `x="${x}" y="${y + bar}" width="${width}" height="${height - bar}"`;
    return [
      frame(x, y, width, height, 'orgctl console'),
      `<clipPath id="page"><rect ${place} rx="7"/></clipPath>`,
      '<g clip-path="url(#page)">',
      ...shots.flatMap((shot) =>
        (['light', 'dark'] as const).map(
          (theme) =>
            `<g class="${theme}"><image ${place} class="${this.#appear(shot)}" href="${shot[theme]}"/></g>`,
        ),
      ),
      '</g>',
    ].join('\n');
  }

  #line(line: TypedLine | PrintedLine, x: number, y: number): string {
    if ('runs' in line) return `<text class="${this.#appear(line)}">${drawRuns(line.runs, x, y)}</text>`;
    const { command, at, takes } = line;
    const width = command.length * cell.width;
    const start = x + 2 * cell.width;
    const cover = `<rect class="cover ${this.#uncover(at, takes, command.length, width)}" x="${start}" y="${y - 12}" width="${width + 40}" height="${cell.height}"/>`;
    const text = `<tspan class="prompt" x="${x}" y="${y}">$</tspan><tspan x="${start}" y="${y}">${escapeXml(command)}</tspan>`;
    return `<text class="${this.#appear({ at: Math.max(0, at - 0.6) })}">${text}</text>${cover}`;
  }

  #appear({ at, until }: Timed): string {
    const gone = until === undefined ? '' : `${percent(until)} { opacity: 0 }`;
    return this.#animate(
      `0%, ${percent(at)} { opacity: 0 } ${percent(at + 0.01)} { opacity: 1 } ${gone}`,
      'step-end',
    );
  }

  #uncover(at: number, takes: number, letters: number, width: number): string {
    const moved = `transform: translateX(${width}px)`;
    const typing = `0% { opacity: 1 } ${percent(at)} { opacity: 1; transform: none; animation-timing-function: steps(${letters}) }`;
    return this.#animate(
      `${typing} ${percent(at + takes)} { opacity: 1; ${moved} } ${percent(at + takes + 0.01)}, 100% { opacity: 0; ${moved} }`,
      'linear',
    );
  }

  #animate(frames: string, timing: string): string {
    const name = `a${this.#rules.length}`;
    this.#rules.push(
      `@keyframes ${name} { ${frames} } .${name} { animation: ${name} ${duration}s ${timing} infinite }`,
    );
    return name;
  }
}

function frame(x: number, y: number, width: number, height: number, title: string): string {
  const dots = [16, 32, 48].map((dot) => `<circle class="dot" cx="${x + dot}" cy="${y + bar / 2}" r="4.5"/>`);
  const head = `M${x} ${y + bar}v${8 - bar}a8 8 0 0 1 8 -8h${width - 16}a8 8 0 0 1 8 8v${bar - 8}z`;
  return `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/><path class="bar" d="${head}"/>${dots.join('')}<text class="title" x="${x + width / 2}" y="${y + 18}">${escapeXml(title)}</text>`;
}

/** Each column at its own place, because fonts differ in the widths of rare characters. */
function drawRuns(runs: readonly ScreenRun[], x: number, y: number): string {
  let column = 0;
  return runs
    .map(({ text, styles }) => {
      const pieces = [...text.matchAll(/(?: ?[^ ])+/g)].map(({ 0: piece, index }) => {
        const gap = piece.length - piece.trimStart().length;
        const place = x + (column + index + gap) * cell.width;
        const named = styles.length === 0 ? '' : ` class="${styles.join(' ')}"`;
        return `<tspan x="${round(place)}" y="${y}"${named}>${escapeXml(piece.trim())}</tspan>`;
      });
      column += text.length;
      return pieces.join('');
    })
    .join('');
}

function percent(seconds: number): string {
  return `${round((seconds / duration) * 100)}%`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
