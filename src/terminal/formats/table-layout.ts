import type { MeasuredText } from '../text/text-width.js';

export interface Cell {
  readonly content: MeasuredText;
  readonly align: 'left' | 'right';
  /** Never cut: part of a number or ID would mislead. */
  readonly whole?: 'number' | 'id' | undefined;
  readonly least?: number | undefined;
  readonly rank?: number | undefined;
  readonly wraps?: boolean | undefined;
  readonly paint: (text: string) => string;
}

export const gap = '  ';

/** Column widths. */
export interface Layout {
  readonly widths: readonly number[];
  /** Whether the table has no maximum width. */
  readonly isUnbounded?: boolean;
  /** Indexes of the shown columns; default: all. */
  readonly shown?: readonly number[];
}

/** Shrinks bars first, then texts, then omits columns by rank. The name (the text of the lowest rank) is cut last. */
export function fitLayout(lines: readonly (readonly Cell[])[], limit: number | undefined): Layout {
  const natural = widest(lines);
  if (limit === undefined) return { widths: natural, isUnbounded: true };
  const all = withNarrowBars(natural.map(layOutColumns(lines)), limit);
  const name = findName(all);
  const columns = withRoom(name === undefined ? all : withWholeName(all, name, limit), limit);
  const room = limit - gap.length * (columns.length - 1);
  const fixed = sum(columns.map(({ width, whole }) => (whole === undefined ? 0 : width)));
  const flexible = columns.filter(({ whole }) => whole === undefined);
  // If the uncut columns leave too little room, texts keep a few characters each, and the line is too long.
  const least = fixed === 0 ? 1 : flexible.length * leastReadable;
  const narrowed = narrowColumns(flexible, name, Math.max(least, room - fixed));
  const widths = columns.map((column) =>
    column.whole === undefined ? (narrowed.shift() ?? 1) : column.width,
  );
  const shown = columns.map(({ at }) => at);
  return { widths, ...(shown.length < natural.length ? { shown } : {}) };
}

export function shownCells<Cell>(cells: readonly Cell[], { shown }: Layout): readonly Cell[] {
  return shown === undefined ? cells : cells.filter((_cell, at) => shown.includes(at));
}

interface LayoutColumn {
  readonly at: number;
  readonly width: number;
  readonly whole: Cell['whole'];
  readonly least: number | undefined;
  readonly rank: number;
  /** If there is less room than this, the column is omitted. */
  readonly narrowest: number;
}

function layOutColumns(lines: readonly (readonly Cell[])[]) {
  return (width: number, at: number): LayoutColumn => {
    const kinds = new Set(lines.map((line) => line[at]?.whole));
    const least = Math.max(...lines.map((line) => line[at]?.least ?? 0));
    const wraps = lines[0]?.[at]?.wraps;
    const whole = kinds.has('id') ? 'id' : kinds.has('number') || least > 0 ? 'number' : undefined;
    return {
      at,
      width,
      whole,
      least: least > 0 ? Math.max(least, headerWidth(lines, at)) : undefined,
      rank: lines[0]?.[at]?.rank ?? rankByPlace(at, whole),
      narrowest: whole === undefined ? Math.min(width, wraps ? leastWrapped : leastUseful) : width,
    };
  };
}

/** Without declared ranks, columns are omitted from the right, texts before numbers. The first column and IDs stay. */
function rankByPlace(at: number, whole: Cell['whole']): number {
  return at === 0 || whole === 'id' ? 0 : (whole === undefined ? 1000 : 1) + at;
}

function headerWidth([header]: readonly (readonly Cell[])[], at: number): number {
  return header?.[at]?.content.width ?? 0;
}

function withNarrowBars(columns: readonly LayoutColumn[], limit: number): readonly LayoutColumn[] {
  let excess = sum(columns.map(({ width }) => width)) + gap.length * (columns.length - 1) - limit;
  return columns.map((column) => {
    const { width, least = width } = column;
    const given = Math.max(0, Math.min(excess, width - least));
    excess -= given;
    return given === 0 ? column : { ...column, width: width - given, narrowest: width - given };
  });
}

function findName(columns: readonly LayoutColumn[]): LayoutColumn | undefined {
  const texts = columns.filter(({ whole }) => whole === undefined);
  return texts.toSorted((one, other) => one.rank - other.rank)[0];
}

/** A name too long to fit beside the IDs is cut anyway, so it claims only half of the line. */
function withWholeName(
  columns: readonly LayoutColumn[],
  name: LayoutColumn,
  limit: number,
): readonly LayoutColumn[] {
  const kept = columns.filter((column) => column === name || column.rank === 0);
  const fits = sum(kept.map(({ width }) => width)) + gap.length * (kept.length - 1) <= limit;
  const narrowest = fits ? name.width : Math.min(name.width, Math.max(leastReadable, Math.floor(limit / 2)));
  return columns.map((column) => (column === name ? { ...name, narrowest, rank: 0 } : column));
}

/** Columns of rank 0, such as IDs, and as many others, in order of rank, as fit beside them. */
function withRoom(columns: readonly LayoutColumn[], limit: number): readonly LayoutColumn[] {
  const isKept = ({ rank }: LayoutColumn) => rank === 0;
  const byRank = columns.filter((column) => !isKept(column)).toSorted((one, other) => one.rank - other.rank);
  const kept = columns.filter(isKept);
  let room = limit + gap.length - sum(kept.map(({ narrowest }) => narrowest + gap.length));
  for (const column of byRank) {
    // A narrower but less important column says little without this one, such as a port without its host.
    if (column.narrowest + gap.length > room) break;
    kept.push(column);
    room -= column.narrowest + gap.length;
  }
  return columns.filter((column) => kept.includes(column));
}

function widest(lines: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [at, cell] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.content.width);
  }
  return widths;
}

/** In terminal columns; narrower prose is unreadable. */
const leastWrapped = 10;

/** In terminal columns; a text cut shorter says too little, so its column is omitted. */
const leastUseful = 16;

/** In terminal columns; texts beside uncut columns get at least this much room. */
const leastReadable = 4;

function narrowColumns(
  columns: readonly LayoutColumn[],
  name: LayoutColumn | undefined,
  room: number,
): number[] {
  const widths = columns.map(({ width }) => width);
  const at = columns.findIndex((column) => column.at === name?.at);
  const others = columns.filter((_column, index) => index !== at);
  const left = room - sum(others.map(({ narrowest }) => narrowest));
  const forName = Math.min(widths[at] ?? 0, left);
  if (at === -1 || forName < (columns[at]?.narrowest ?? 0)) return level(widths, room);
  const leveled = level(
    others.map(({ width }) => width),
    room - forName,
  );
  return leveled.toSpliced(at, 0, forName);
}

// Lowers a common maximum width until all columns fit, then distributes the remaining room.
function level(widths: readonly number[], room: number): number[] {
  let ceiling = Math.min(room, Math.max(...widths));
  while (ceiling > 1 && sum(widths.map((width) => Math.min(width, ceiling))) > room) ceiling--;
  let rest = room - sum(widths.map((width) => Math.min(width, ceiling)));
  return widths.map((width) => {
    if (width <= ceiling || rest <= 0) return Math.min(width, ceiling);
    rest--;
    return ceiling + 1;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
