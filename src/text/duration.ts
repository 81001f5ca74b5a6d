/** Node's timers hold a signed 32-bit count of milliseconds; a longer one would fire at once. */
const longest = 2 ** 31 - 1;

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

const pattern = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h)$/;

/** The units in which people count how long ago something was, the longest first. */
export const ageUnits = [['d', 86_400_000], ...units.slice(0, 3)] as const;

/** Milliseconds of an age: a duration, or days as in `90d`; of any length. */
export function parseAge(text: string): number | undefined {
  const [, days] = /^(\d{1,6})d$/.exec(text) ?? [];
  return days === undefined ? parseCount(text) : Number(days) * 86_400_000;
}

/** What `parseDuration` accepts, for messages. */
export const durationExamples = '500ms, 30s or 2m';

/**
 * Milliseconds of a duration: a number and its unit, `500ms` `30s` `2m` `1h` (contract, section 1). `undefined` for
 * anything else, a bare number included, and for more than a timer can hold (24 days). The grammar is stricter than
 * the libraries of the field are: those take `2 mins`, bare numbers and signs.
 */
export function parseDuration(text: string): number | undefined {
  const milliseconds = parseCount(text);
  return milliseconds === undefined || milliseconds > longest ? undefined : milliseconds;
}

/** As `parseDuration`, with or without a sign, and of any length: no timer waits for it. */
export function parseSignedDuration(text: string): number | undefined {
  const milliseconds = parseCount(text.replace(/^[+-]/, ''));
  if (milliseconds === undefined || !Number.isSafeInteger(milliseconds)) return undefined;
  return text.startsWith('-') && milliseconds > 0 ? -milliseconds : milliseconds;
}

function parseCount(text: string): number | undefined {
  const [, count, unit] = pattern.exec(text) ?? [];
  const size = units.find(([name]) => name === unit)?.[1];
  if (count === undefined || size === undefined) return undefined;
  return Math.round(Number(count) * size);
}

/** The shortest spelling of a whole number of milliseconds that `parseDuration` reads back. */
export function formatDuration(milliseconds: number): string {
  const [name, size] = units.find(([, size]) => milliseconds > 0 && milliseconds % size === 0) ?? ['ms', 1];
  return `${milliseconds / size}${name}`;
}
