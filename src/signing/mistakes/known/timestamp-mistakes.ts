import { isInMilliseconds, parseTimestamp } from '../../hmac/timestamp.js';
import { about, type SigningMistake } from '../mistake.js';
import { type Signed, signedSize } from '../signed.js';

/** Maximum seconds to try between two readings of the clock. */
const maxTimeStep = 30;

export const timestampMistakes = about('timestamp', [
  {
    id: 'timestamp-taken-twice',
    description: 'over a timestamp some seconds earlier or later than the one sent',
    advice: 'read the clock once, then sign and send the same text',
    isAlone: true,
    forms: ({ timestamp }) => {
      const sent = parseTimestamp(timestamp);
      if (sent === undefined || isInMilliseconds(timestamp)) return [];
      const seconds = Array.from({ length: maxTimeStep }, (_none, at) => [sent - at - 1, sent + at + 1]);
      return seconds.flat().map((second) => ({ timestamp: String(second) }));
    },
  },
  {
    id: 'timestamp-format',
    description: 'over the timestamp in a form other than the one sent, such as ISO 8601 or with a fraction',
    advice: 'sign the text of X-API-Timestamp: Unix time in whole seconds',
    isAlone: true,
    forms: (right) => {
      const seconds = parseTimestamp(right.timestamp);
      if (seconds === undefined || seconds > latestDate) return [];
      return [...listForms(seconds), ...listFractions(right)].map((timestamp) => ({ timestamp }));
    },
  },
]);

const latestDate = 8_640_000_000_000;

function listForms(seconds: number): string[] {
  const date = new Date(seconds * 1000);
  const iso = date.toISOString();
  const whole = iso.replace('.000', '');
  const basic = whole.replace(/[-:]/g, '');
  return [iso, whole, whole.replace('Z', '+00:00'), basic, date.toUTCString(), `${seconds}.0`];
}

/** With three decimals, and as languages write a number: without zeros at the end. */
function listFractions({ timestamp, ...right }: Signed): string[] {
  if (signedSize({ timestamp, ...right }) > fewBytes) return [];
  const decimals = milliseconds.flatMap((one) => [`.${one}`, String(Number(`0.${one}`)).slice(1)]);
  return [...new Set(decimals)].map((one) => `${timestamp}${one}`);
}

/** Not among `timestampMistakes`, because milliseconds that were not sent take a thousand attempts. */
export const millisecondsMistake: SigningMistake = {
  id: 'milliseconds',
  aspect: 'timestamp',
  description: 'over a timestamp in milliseconds',
  advice: 'divide by 1000 and round down once, then sign and send the same text',
  forms: (right) => {
    const { timestamp } = right;
    if (isInMilliseconds(timestamp)) return [{ timestamp }, { timestamp: timestamp.slice(0, -3) }];
    const tried = signedSize(right) > fewBytes ? ['000'] : milliseconds;
    return tried.map((one) => ({ timestamp: `${timestamp}${one}` }));
  },
};

/** In bytes; for larger requests, only whole seconds are tried. */
const fewBytes = 4096;

const milliseconds = Array.from({ length: 1000 }, (_none, one) => String(one).padStart(3, '0'));
