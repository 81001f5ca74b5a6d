export const gap = '  ';

interface Measured {
  /** Of the column's widest text, in terminal columns. */
  readonly width: number;
  /** The smallest useful width: narrower columns are left out. */
  readonly least: number;
  /** The highest ranks are left out first, but never rank 0. */
  readonly rank: number;
  /** `text` can be cut; `bar` can be drawn narrower; `whole` is never cut, because part of an ID or number misleads. */
  readonly kind: 'text' | 'bar' | 'whole';
}

/** A text of rank 0 has at least this many columns, even if the line becomes too long. */
const leastReadable = 4;

/**
 * Distributes a terminal's width: bars shrink first, then columns are left out, then texts are cut. The name (the text of
 * the lowest rank) is cut last.
 * @returns the width of each shown column by its index
 */
export function fitWidths(columns: readonly Measured[], limit: number): ReadonlyMap<number, number> {
  const ranked = columns.map((column, at) => ({ ...column, at, given: 0 })).sort((a, b) => a.rank - b.rank);
  const name = ranked.find(({ kind }) => kind === 'text');
  const kept = ranked.filter((column) => column === name || column.rank === 0);
  // A name too long to fit beside the IDs is cut anyway, so it needs no more room than others.
  const isWhole = lineWidth(kept.map(({ width }) => width)) <= limit;
  for (const column of ranked.filter((one) => !kept.includes(one))) {
    const needed = [...kept, column].map((one) => (one === name && isWhole ? one.width : one.least));
    // A less important column says little without the one before it.
    if (lineWidth(needed) > limit) break;
    kept.push(column);
  }
  for (const column of kept) {
    const isSmall = column.kind === 'text' && (column === name || column.rank === 0);
    column.given = isSmall ? Math.min(column.width, leastReadable) : column.least;
  }
  let room = limit - lineWidth(kept.map(({ given }) => given));
  for (const growing of [
    kept.filter((one) => one === name),
    kept.filter(({ kind }) => kind === 'text'),
    kept,
  ]) {
    // The narrowest grows first, so that the widest texts are cut alike.
    const next = () => growing.filter((one) => one.given < one.width).sort((a, b) => a.given - b.given)[0];
    for (let column = next(); column !== undefined && room > 0; column = next()) {
      column.given += 1;
      room -= 1;
    }
  }
  return new Map(kept.sort((one, other) => one.at - other.at).map(({ at, given }) => [at, given]));
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width + gap.length, -gap.length);
}
