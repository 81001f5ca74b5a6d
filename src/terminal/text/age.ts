import { ageUnits, readTime } from '../../text/duration.js';

const iso = /^\d{4}-\d{2}-\d{2}[T ]/;

/** From the year 2001 in seconds to the year 5138 in milliseconds. Other numbers are hardly times. */
const [firstTime, lastTime] = [1e9, 1e14];

/** How Go writes an unset time. */
const unsetTime = /^0001-01-01T00:00:00/;

/** A time as an age, such as `42s`, `3d` or `in 5m`; other values as text. @param now milliseconds since the epoch */
export function showAge(value: unknown, now = Date.now()): string {
  if (typeof value === 'string' && unsetTime.test(value)) return '-';
  const isTime = typeof value === 'number' ? value >= firstTime && value < lastTime : iso.test(String(value));
  const moment = isTime ? readTime(value) : undefined;
  if (moment === undefined) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  const milliseconds = Math.abs(now - moment);
  const [unit, size] = ageUnits.find(([, size]) => milliseconds >= size) ?? ['s', 1000];
  const text = `${Math.floor(milliseconds / size)}${unit}`;
  // If our clock is slightly behind the service's, new resources seem to come from the future.
  return moment - now >= 60_000 ? `in ${text}` : moment > now ? '0s' : text;
}
