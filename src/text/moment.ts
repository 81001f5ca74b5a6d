import { parseAge } from './duration.js';

/** A date, which means midnight UTC, or a time with a zone; without one, JavaScript would assume the machine's. */
export const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch; `undefined` for text of another form, or for a time that does not exist. */
export function parseIsoTime(text: string): number | undefined {
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) || !hasDay(text) ? undefined : time;
}

/** Whether its month has that day; JavaScript would take 30 February for 2 March. */
function hasDay(time: string): boolean {
  const day = time.slice(0, 'yyyy-mm-dd'.length);
  return new Date(day).toISOString().startsWith(day);
}

/** Examples for messages about text that `parseMoment` refuses. */
export const momentExamples = 'a duration such as 10m, or a time such as 2026-01-31T12:00:00Z';

/** Reads an age such as `10m`, or a date or time in ISO 8601. Result and `now`: milliseconds since the epoch. */
export function parseMoment(text: string, now: number): number | undefined {
  const age = parseAge(text);
  return age === undefined ? parseIsoTime(text) : now - age;
}
