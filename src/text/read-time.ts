/** A number below this is seconds; any other, milliseconds. */
const largestSeconds = 1e11;

/** Milliseconds since the epoch; `undefined` for a value that is not a time. */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return value < largestSeconds ? value * 1000 : value;
  if (typeof value !== 'string') return undefined;
  // Without a zone, a time counts as UTC; `Date.parse` would read it as local time.
  const isLocal = /^\d{4}-\d{2}-\d{2}[T ][\d:.]+$/.test(value);
  const time = Date.parse(isLocal ? `${value.replace(' ', 'T')}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}
