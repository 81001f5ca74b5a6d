import { ageUnits } from '../../text/duration.js';

const timestampPattern = /^\d{4}-\d{2}-\d{2}T/;

/** For people: `42s`, `5m`, `7h`, `3d`, `in 5m`; other values unchanged. @param now milliseconds since the epoch */
export function showAge(value: unknown, now = Date.now()): string {
  const moment = typeof value === 'string' && timestampPattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) return String(value);
  const milliseconds = Math.abs(now - moment);
  const [unit, size] = ageUnits.find(([, size]) => milliseconds >= size) ?? ['s', 1000];
  const text = `${Math.floor(milliseconds / size)}${unit}`;
  // If our clock is slightly behind the service's, new resources seem to lie ahead.
  return moment - now >= 60_000 ? `in ${text}` : moment > now ? '0s' : text;
}
