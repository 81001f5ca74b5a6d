/** Node's timers count milliseconds in a signed 32-bit integer; longer timers fire at once. */
export const longestTimer = 2 ** 31 - 1;

const unitMilliseconds = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** Such as `500ms`, `30s`, `2m`, `1h` or `1d`. */
export type Duration = `${number}${(typeof unitMilliseconds)[number][0]}`;

const durationPattern = /^(\d{1,15}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

const ageUnits = unitMilliseconds.slice(0, 4);

/** In milliseconds; not limited to the 24 days of a timer. */
export function parseAge(text: string): number | undefined {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  const size = unitMilliseconds.find(([name]) => name === unit)?.[1];
  return count === undefined || size === undefined ? undefined : Math.round(Number(count) * size);
}

export const durationExamples = '500ms, 30s or 2m';

/** In milliseconds; `undefined` if it is longer than the 24 days of a timer. */
export function parseDuration(text: string): number | undefined {
  const milliseconds = parseAge(text);
  return milliseconds === undefined || milliseconds > longestTimer ? undefined : milliseconds;
}

/** Why `parseDuration` or its caller refuses a text. */
export function explainDuration(text: string): string {
  const milliseconds = parseAge(text);
  if (milliseconds === undefined) return explainSignedDuration(text);
  return `${JSON.stringify(text)} ${milliseconds === 0 ? 'must be more than 0' : 'is longer than 24 days'}`;
}

/** Why `parseSignedDuration` refuses a text. */
export function explainSignedDuration(text: string): string {
  return `${JSON.stringify(text)} is not a duration such as ${durationExamples}`;
}

/** In milliseconds; not limited to 24 days. */
export function parseSignedDuration(text: string): number | undefined {
  const milliseconds = parseAge(text.replace(/^[+-]/, ''));
  if (milliseconds === undefined || !Number.isSafeInteger(milliseconds)) return undefined;
  return text.startsWith('-') && milliseconds > 0 ? -milliseconds : milliseconds;
}

/** Rounded to whole seconds, in the two largest units, such as `1d 12h`; empty for less than half a second. */
export function formatRounded(milliseconds: number): string {
  let rest = 1000 * Math.round(milliseconds / 1000);
  const parts: string[] = [];
  for (const [unit, size] of ageUnits) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.slice(0, 2).join(' ');
}

/** In the largest unit that gives a whole number, such as `90s`. */
export function formatDuration(milliseconds: number): string {
  const [name, size] = unitMilliseconds.find(([, size]) => milliseconds > 0 && milliseconds % size === 0) ?? [
    'ms',
    1,
  ];
  return `${milliseconds / size}${name}`;
}

/** A date, which means midnight UTC, or a time with a zone. */
const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch; `undefined` for another form. */
export function parseIsoTime(text: string): number | undefined {
  // `Date.parse` reads 30 February as 2 March.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10));
  const time = isDay && isoTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

export const momentExamples = 'a duration such as 10m, or a time such as 2026-01-31T12:00:00Z';

/** Reads an age such as `10m`, or a date or time in ISO 8601. Result and `now`: milliseconds since the epoch. */
export function parseMoment(text: string, now: number): number | undefined {
  const age = parseAge(text);
  return age === undefined ? parseIsoTime(text) : now - age;
}

const isoStart = /^\d{4}-\d{2}-\d{2}(?:[T ]|$)/i;

/**
 * Milliseconds since the epoch, from ISO 8601, or from seconds or milliseconds since the epoch; `undefined` for forms
 * that can be misread, such as 01/11/2026 and 20261101.
 */
export function readTime(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(Math.trunc(value)) : value;
  if (typeof text !== 'string') return undefined;
  if (/^[1-9](?:\d{9}|\d{12})$/.test(text)) return Number(text) * (text.length === 10 ? 1000 : 1);
  // Without a zone, a time counts as UTC; `Date.parse` would read it as local time.
  const isLocal = /^[\d-]+[T ][\d:.]+$/.test(text);
  const time = isoStart.test(text) ? Date.parse(isLocal ? `${text.replace(' ', 'T')}Z` : text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A time in ISO 8601 as an age, such as `42s`, `3d` or `in 5m`; other values as text. */
export function showAge(value: unknown, now = Date.now()): string {
  const moment = typeof value === 'string' && /[T ]/.test(value) ? readTime(value) : undefined;
  if (moment === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const milliseconds = Math.abs(now - moment);
  const [unit, size] = ageUnits.find(([, size]) => milliseconds >= size) ?? ['s', 1000];
  const text = `${Math.floor(milliseconds / size)}${unit}`;
  // If our clock is slightly behind the service's, new resources seem to come from the future.
  return moment - now >= 60_000 ? `in ${text}` : moment > now ? '0s' : text;
}
