import type { MeasuredText } from '../text/text-width.js';

export interface Cell {
  readonly content: MeasuredText;
  readonly align: 'left' | 'right';
  /** Never cut: part of a number or ID is wrong. A column of numbers may be dropped, IDs never. */
  readonly whole?: 'number' | 'id' | undefined;
  readonly least?: number | undefined;
  readonly paint: (text: string) => string;
}

export const gap = '  ';

/** Column widths, and spare room that a line may use. */
export interface Layout {
  readonly widths: readonly number[];
  readonly spare: number;
  /** Indexes of the shown columns; default: all. */
  readonly shown?: readonly number[];
}

/**
 * First bars shrink, then the widest texts (the first column last), then columns go from the right, numbers after text.
 * Numbers and IDs are never cut; if IDs alone are too wide, the terminal wraps.
 */
export function fitLayout(lines: readonly (readonly Cell[])[], limit: number | undefined): Layout {
  const natural = widest(lines);
  if (limit === undefined) return { widths: natural, spare: Number.POSITIVE_INFINITY };
  const columns = withRoom(withNarrowBars(natural.map(layOutColumns(lines)), limit), limit);
  const room = limit - gap.length * (columns.length - 1);
  const fixed = sum(columns.map(({ width, whole }) => (whole === undefined ? 0 : width)));
  const flexible = columns.filter(({ whole }) => whole === undefined);
  // If IDs alone are too wide, cutting the rest does not help.
  const least = fixed === 0 ? 1 : sum(flexible.map(leastWidth));
  const narrowed = narrowColumns(flexible, Math.max(least, room - fixed));
  const widths = columns.map((column) =>
    column.whole === undefined ? (narrowed.shift() ?? 1) : column.width,
  );
  const shown = columns.map(({ at }) => at);
  return {
    widths,
    spare: Math.max(0, room - sum(widths)),
    ...(shown.length < natural.length ? { shown } : {}),
  };
}

export function shownCells<Cell>(cells: readonly Cell[], { shown }: Layout): readonly Cell[] {
  return shown === undefined ? cells : cells.filter((_cell, at) => shown.includes(at));
}

interface LayoutColumn {
  readonly at: number;
  readonly width: number;
  readonly whole: Cell['whole'];
  readonly least: number | undefined;
}

function layOutColumns(lines: readonly (readonly Cell[])[]) {
  return (width: number, at: number): LayoutColumn => {
    const kinds = new Set(lines.map((line) => line[at]?.whole));
    const least = Math.max(...lines.map((line) => line[at]?.least ?? 0));
    if (least > 0) return { at, width, whole: 'number', least: Math.max(least, headerWidth(lines, at)) };
    const whole = kinds.has('id') ? 'id' : kinds.has('number') ? 'number' : undefined;
    return { at, width, whole, least: undefined };
  };
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
    return { ...column, width: width - given };
  });
}

/** Keeps IDs and the first column; of the others the first text, usually a name, is dropped last. */
function withRoom(columns: readonly LayoutColumn[], limit: number): readonly LayoutColumn[] {
  const least = sum(columns.map(leastWidth)) + gap.length * (columns.length - 1);
  if (least <= limit) return columns;
  const rest = columns.slice(1).filter(({ whole }) => whole !== 'id');
  const isText = ({ whole }: LayoutColumn) => whole === undefined;
  const name = columns.find(isText);
  const others = rest.filter((column) => column !== name);
  const goes = others.findLast(isText) ?? others.at(-1) ?? rest[0];
  return goes === undefined
    ? columns
    : withRoom(
        columns.filter((column) => column !== goes),
        limit,
      );
}

function leastWidth({ width, whole }: LayoutColumn): number {
  return whole === undefined ? Math.min(width, leastUseful) : width;
}

function widest(lines: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const line of lines) {
    for (const [at, cell] of line.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.content.width);
  }
  return widths;
}

// A narrower cell says nothing.
const leastUseful = 4;

// The first column names its row, so it is narrowed last.
function narrowColumns(columns: readonly LayoutColumn[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  if (columns[0]?.at !== 0) return level(widths, room);
  const [first = 0, ...others] = widths;
  const left = room - first;
  return left >= others.length * leastUseful ? [first, ...level(others, left)] : level(widths, room);
}

// Lowers one ceiling over all columns until they fit, then hands out the rest.
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

// One long cell must not pad all later lines as much.
const mostWidened = 100;

/** Widens columns for these cells, where there is no terminal to fit. */
export function widen(layout: Layout, cells: readonly Cell[]): Layout {
  const { widths, spare } = layout;
  const wanted = (at: number) => {
    const { width = 0 } = cells[at]?.content ?? {};
    return width <= mostWidened ? width : 0;
  };
  if (spare !== Number.POSITIVE_INFINITY || widths.every((width, at) => width >= wanted(at))) return layout;
  return { widths: widths.map((width, at) => Math.max(width, wanted(at))), spare };
}
