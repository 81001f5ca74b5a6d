import { isInMilliseconds, parseTimestamp } from '../../hmac/timestamp.js';
import { ofPart, signedSize } from '../mistake.js';

export const timestampMistakes = ofPart('timestamp', {
  'timestamp-taken-twice': {
    description: 'over a timestamp some seconds earlier or later than the one sent',
    advice: 'read the clock once, then sign and send the same text',
    isAlone: true,
    forms: (timestamp) => {
      const sent = parseTimestamp(timestamp);
      if (sent === undefined) return [];
      return Array.from({ length: 61 }, (_none, at) => String(sent - 30 + at));
    },
  },
  'timestamp-format': {
    description: 'over the timestamp in a form other than the one sent, such as ISO 8601 or with a fraction',
    advice: 'sign the text of X-API-Timestamp: Unix time in whole seconds',
    isAlone: true,
    forms: (timestamp, _request, right) => {
      const seconds = parseTimestamp(timestamp);
      if (seconds === undefined) return [];
      const iso = new Date(seconds * 1000).toISOString();
      const whole = iso.replace('.000', '');
      const tried = signedSize(right) > fewBytes ? [] : fractions;
      return [iso, whole, whole.replace('Z', '+00:00'), ...tried.map((one) => `${seconds}${one}`)];
    },
  },
});

/** The first takes a thousand attempts if the milliseconds of a small request were not sent. */
export const millisecondsMistakes = ofPart('timestamp', {
  milliseconds: {
    description: 'over a timestamp in milliseconds',
    advice: 'divide by 1000 and round down once, then sign and send the same text',
    forms: (timestamp, _request, right) => {
      const tried = signedSize(right) > fewBytes ? ['000'] : milliseconds;
      return isInMilliseconds(timestamp) ? [timestamp] : tried.map((one) => `${timestamp}${one}`);
    },
  },
  'milliseconds-sent': {
    description: 'over seconds, but the timestamp sent is in milliseconds',
    advice: 'send the text that was signed: Unix time in whole seconds',
    forms: (timestamp) => (isInMilliseconds(timestamp) ? [timestamp.slice(0, -3)] : []),
  },
});

/** In bytes; for larger requests, no fractions of a second are tried. */
const fewBytes = 4096;
const milliseconds = Array.from({ length: 1000 }, (_none, one) => String(one).padStart(3, '0'));
/** A fraction as languages write numbers: without zeros at the end. */
const shortest = (one: string) => String(Number(`0.${one}`)).slice(1);
const fractions = ['.0', ...new Set(milliseconds.flatMap((one) => [`.${one}`, shortest(one)]))];
