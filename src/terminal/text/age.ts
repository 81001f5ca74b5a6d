import { ageUnits } from '../../text/duration.js';

/** A moment in ISO 8601, as services write it. */
const timestamp = /^\d{4}-\d{2}-\d{2}T/;

/**
 * How long ago a moment was, for people: `42s`, `5m`, `7h`, `3d`; `in 5m` for one to come. What is no timestamp stays as
 * it is.
 *
 * @param now milliseconds since the epoch
 */
export function ageOf(value: unknown, now = Date.now()): string {
  const moment = typeof value === 'string' && timestamp.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) return String(value);
  const milliseconds = Math.abs(now - moment);
  const [unit, size] = ageUnits.find(([, size]) => milliseconds >= size) ?? ['s', 1000];
  const text = `${Math.floor(milliseconds / size)}${unit}`;
  // A clock that is a little behind the service's makes what was created just now seem to lie ahead.
  return moment - now >= 60_000 ? `in ${text}` : moment > now ? '0s' : text;
}
