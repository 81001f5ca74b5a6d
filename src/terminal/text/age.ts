import { ageUnits, readTime } from '../../text/duration.js';

const iso = /^\d{4}-\d{2}-\d{2}[T ]/;

/** A time in ISO 8601 as an age, such as `42s`, `3d` or `in 5m`; other values as text. */
export function showAge(value: unknown, now = Date.now()): string {
  const moment = typeof value === 'string' && iso.test(value) ? readTime(value) : undefined;
  if (moment === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const milliseconds = Math.abs(now - moment);
  const [unit, size] = ageUnits.find(([, size]) => milliseconds >= size) ?? ['s', 1000];
  const text = `${Math.floor(milliseconds / size)}${unit}`;
  // If our clock is slightly behind the service's, new resources seem to come from the future.
  return moment - now >= 60_000 ? `in ${text}` : moment > now ? '0s' : text;
}
