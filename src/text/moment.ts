import { parseAge } from './duration.js';

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Examples for messages about text that `parseMoment` refuses. */
export const momentExamples = 'a duration such as 10m, or a time such as 2026-01-31T12:00:00Z';

/** Reads an age such as `10m`, or a time in ISO 8601 with a zone. Result and `now`: milliseconds since the epoch. */
export function parseMoment(text: string, now: number): number | undefined {
  const age = parseAge(text);
  if (age !== undefined) return now - age;
  const time = timePattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
