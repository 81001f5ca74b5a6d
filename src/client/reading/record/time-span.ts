export interface TimeSpan {
  /** Milliseconds since the epoch. */
  readonly earliest: number;
  readonly latest: number;
}

const hour = 60 * 60 * 1000;
/** Offsets of the time zones farthest from UTC, in milliseconds. */
const zones = { east: 14 * hour, west: 12 * hour };

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const mailTime = /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}(?::\d{2})?) (.+)$/;

/**
 * The moment that a value names, or a span if it lacks a zone or time of day; `undefined` for an ambiguous value.
 * Reads ISO 8601, RFC 2822, and seconds or milliseconds since the epoch (from September 2001 on).
 */
export function readTimeSpan(value: unknown): TimeSpan | undefined {
  const moment = readEpoch(value);
  if (moment !== undefined) return { earliest: moment, latest: moment };
  if (typeof value !== 'string') return undefined;
  const [, day, time, zone] = isoTime.exec(mailToIso(value)) ?? [];
  const at = Date.parse(`${day}T${time ?? '00:00'}${spellZone(zone)}`);
  if (Number.isNaN(at)) return undefined;
  if (zone !== undefined) return { earliest: at, latest: at };
  return { earliest: at - zones.east, latest: at + zones.west + (time === undefined ? 24 * hour : 0) };
}

/** Reads 10 or 13 digits: other lengths may be dates such as 20260301, or finer units. */
function readEpoch(value: unknown): number | undefined {
  const digits = typeof value === 'number' ? String(Math.trunc(value)) : value;
  if (typeof digits !== 'string' || !/^[1-9](?:\d{9}|\d{12})$/.test(digits)) return undefined;
  return digits.length === 10 ? Number(value) * 1000 : Number(value);
}

function mailToIso(text: string): string {
  const [, day = '', month = '', year, time, zone] = mailTime.exec(text) ?? [];
  const number = months.indexOf(month) + 1;
  if (number === 0) return text;
  return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')} ${time} ${zone}`;
}

function spellZone(zone = 'Z'): string {
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}
