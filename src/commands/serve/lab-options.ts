import { durationExamples, parseDuration, parseSignedDuration } from '../../contract/duration.js';
import { UsageError } from '../../errors.js';
import type { ServerOptions } from '../../server/index.js';

/** The flags of `serve` by which clients are tried, as typed. */
export interface LabFlags {
  readonly rateLimit?: string | undefined;
  readonly clockOffset?: string | undefined;
  readonly maxSkew?: string | undefined;
  readonly fault?: readonly string[] | undefined;
}

/** @throws UsageError for a value that makes no sense; fault rules are read when the server starts. */
export function labOptions({
  rateLimit,
  clockOffset,
  maxSkew,
  fault,
}: LabFlags): Pick<ServerOptions, 'rateLimit' | 'clockOffset' | 'maxSkew' | 'faults'> {
  return {
    rateLimit: rateLimit === undefined ? undefined : parseRateLimit(rateLimit),
    clockOffset: clockOffset === undefined ? undefined : parseOffset(clockOffset),
    maxSkew: maxSkew === undefined ? undefined : parseSkew(maxSkew) / 1000,
    faults: fault,
  };
}

function parseRateLimit(text: string): NonNullable<ServerOptions['rateLimit']> {
  const [, requests, duration] = /^([1-9]\d{0,8})\/(.+)$/.exec(text) ?? [];
  const window = duration === undefined ? undefined : parseDuration(duration);
  if (requests === undefined || window === undefined || window === 0) {
    throw new UsageError(`--rate-limit ${text}: not of the form number/duration`, {
      hint: 'for example --rate-limit 100/1m: a hundred requests of each API key in a minute',
    });
  }
  return { requests: Number(requests), window };
}

function parseOffset(text: string): number {
  const offset = parseSignedDuration(text);
  if (offset !== undefined) return offset;
  throw new UsageError(`--clock-offset ${text}: not a duration`, {
    hint: `${durationExamples}; with a minus sign the server's clock is behind: --clock-offset -10m`,
  });
}

function parseSkew(text: string): number {
  const skew = parseDuration(text);
  if (skew !== undefined) return skew;
  throw new UsageError(`--max-skew ${text}: not a duration`, { hint: durationExamples });
}
