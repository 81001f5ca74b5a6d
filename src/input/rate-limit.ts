import { UsageError } from '../errors/errors.js';
import { parseDuration } from '../text/duration.js';

/** `window` is in milliseconds. @throws UsageError naming the limit as `typed` */
export function parseRateLimit(
  text: string,
  typed: string,
): { readonly requests: number; readonly window: number } {
  const [, requests, duration] = /^([1-9]\d{0,14})\/(.+)$/.exec(text) ?? [];
  const window = duration === undefined ? undefined : parseDuration(duration);
  if (requests !== undefined && window) return { requests: Number(requests), window };
  throw new UsageError(`${typed}: not of the form number/duration`, {
    hint: 'for example 100/1m: 100 requests per minute for each API key',
  });
}
