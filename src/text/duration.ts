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

export const ageUnits = unitMilliseconds.slice(0, 4);

/** In milliseconds; not limited to the 24 days of a timer. */
export function parseAge(text: string): number | undefined {
  return parseCount(text);
}

export const durationExamples = '500ms, 30s or 2m';

/** In milliseconds; `undefined` for text that is not a duration, or is longer than the 24 days of a timer. */
export function parseDuration(text: string): number | undefined {
  const milliseconds = parseCount(text);
  return milliseconds === undefined || milliseconds > longestTimer ? undefined : milliseconds;
}

const noDuration = `is not a duration such as ${durationExamples}`;

/** Why a text is not a duration, or not one that the caller accepts: zero or too long. */
export function explainDuration(text: string): string {
  const milliseconds = parseCount(text);
  const why =
    milliseconds === undefined
      ? noDuration
      : milliseconds === 0
        ? 'must be more than 0'
        : 'is longer than 24 days';
  return `${JSON.stringify(text)} ${why}`;
}

/** Why `parseSignedDuration` refuses a text. */
export function explainSignedDuration(text: string): string {
  const why = parseCount(withoutSign(text)) === undefined ? noDuration : 'is too long';
  return `${JSON.stringify(text)} ${why}`;
}

/** In milliseconds; not limited to 24 days, because no timer waits for it. */
export function parseSignedDuration(text: string): number | undefined {
  const milliseconds = parseCount(withoutSign(text));
  if (milliseconds === undefined || !Number.isSafeInteger(milliseconds)) return undefined;
  return text.startsWith('-') && milliseconds > 0 ? -milliseconds : milliseconds;
}

function withoutSign(text: string): string {
  return text.replace(/^[+-]/, '');
}

function parseCount(text: string): number | undefined {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  const size = unitMilliseconds.find(([name]) => name === unit)?.[1];
  if (count === undefined || size === undefined) return undefined;
  return Math.round(Number(count) * size);
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
