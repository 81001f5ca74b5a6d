import { isInMilliseconds, parseTimestamp } from '../../hmac/timestamp.js';
import { attemptSize, type SigningAttempt, type SigningMistake } from '../attempt/signing-attempt.js';

/** Maximum seconds to try between two readings of the clock. */
const maxTimeStep = 30;

export const timestampMistakes: readonly SigningMistake[] = [
  {
    id: 'timestamp-taken-twice',
    aspect: 'timestamp',
    description: 'over a timestamp some seconds earlier or later than the one sent',
    advice: 'read the clock once, then sign and send the same text',
    isAlone: true,
    reproduce: (right) => {
      const sent = parseTimestamp(right.timestamp);
      if (sent === undefined || isInMilliseconds(right.timestamp)) return [];
      const seconds = Array.from({ length: maxTimeStep }, (_none, at) => [sent - at - 1, sent + at + 1]);
      return seconds.flat().map((second) => ({ ...right, timestamp: String(second) }));
    },
  },
  {
    id: 'timestamp-format',
    aspect: 'timestamp',
    description: 'over the timestamp in a form other than the one sent, such as ISO 8601',
    advice: 'sign the text of X-API-Timestamp: Unix time in whole seconds',
    isAlone: true,
    reproduce: (right) => {
      const seconds = parseTimestamp(right.timestamp);
      if (seconds === undefined) return [];
      return listForms(seconds).map((timestamp) => ({ ...right, timestamp }));
    },
  },
];

const latestDate = 8_640_000_000_000;

function listForms(seconds: number): string[] {
  if (seconds > latestDate) return [];
  const date = new Date(seconds * 1000);
  const iso = date.toISOString();
  const whole = iso.replace('.000', '');
  const basic = whole.replace(/[-:]/g, '');
  return [iso, whole, whole.replace('Z', '+00:00'), basic, date.toUTCString(), `${seconds}.0`];
}

/** Not among `timestampMistakes`, because milliseconds that were not sent take a thousand attempts. */
export const millisecondsMistake: SigningMistake = {
  id: 'milliseconds',
  aspect: 'timestamp',
  description: 'over a timestamp in milliseconds',
  advice: 'divide by 1000 and round down once, then sign and send the same text',
  reproduce: (right) => {
    const { timestamp } = right;
    return isInMilliseconds(timestamp)
      ? [right, { ...right, timestamp: timestamp.slice(0, -3) }]
      : [{ ...right, timestamp: `${timestamp}000` }];
  },
};

/** In bytes; for larger requests, only whole seconds are tried. */
const fewBytes = 4096;

/** Whether to try each millisecond of the second; `millisecondsMistake` has only the first. */
export function isAnyMoment(right: SigningAttempt): boolean {
  return !isInMilliseconds(right.timestamp) && attemptSize(right) <= fewBytes;
}
