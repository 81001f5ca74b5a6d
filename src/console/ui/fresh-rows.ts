import { useRef } from 'preact/hooks';
import { now } from '../session/clock.js';

/** Milliseconds for which a row is marked as new or changed. */
export const freshFor = 3000;

interface Seen {
  readonly text: string;
  /** Milliseconds since the epoch, by the server's clock. */
  readonly until: number;
}

/** @returns whether the row with an ID was created or its `textOf` changed in the last `freshFor` milliseconds */
export function useFreshRows<Row extends { readonly id: string; readonly created_at: string }>(
  rows: readonly Row[],
  textOf: (row: Row) => string,
): (id: string) => boolean {
  const seen = useRef(new Map<string, Seen>());
  const time = now.peek();
  for (const row of rows) {
    const text = textOf(row);
    const before = seen.current.get(row.id);
    if (before?.text === text) continue;
    const from = before === undefined ? Date.parse(row.created_at) : time;
    seen.current.set(row.id, { text, until: from + freshFor });
  }
  return (id) => (seen.current.get(id)?.until ?? 0) > time;
}
