import type { StatusAnswer } from '../../api/control/control-answers.js';
import { chooseTone } from '../session/journal.js';
import { clockOffset, now } from '../session/status.js';

const ageSteps = [
  [365 * 86_400, 'y'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** Such as `3 min ago`. */
function describeAge(time: number, at: number): string {
  const seconds = Math.round((at - time) / 1000);
  if (seconds < 5) return 'just now';
  const [length, unit] = ageSteps.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${Math.floor(seconds / length)} ${unit} ago`;
}

interface AgeProps {
  readonly at: string | null | undefined;
  /** By this machine's clock, not the server's. */
  readonly byMachine?: boolean;
}

/** How long ago an ISO 8601 time is; the exact time on hover. */
export function Age({ at, byMachine = false }: AgeProps) {
  if (at === null || at === undefined) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={at}>
      {describeAge(Date.parse(at), byMachine ? now.value - clockOffset() : now.value)}
    </time>
  );
}

const methodTones: Readonly<Record<string, string>> = {
  POST: 'good',
  PATCH: 'warn',
  PUT: 'warn',
  DELETE: 'bad',
};

export function Method({ name }: { readonly name: string }) {
  return <span class={`method ${methodTones[name] ?? ''}`}>{name}</span>;
}

export function Status({ of }: { readonly of: number | null }) {
  return <span class={`status ${chooseTone(of)}`}>{of ?? 'dropped'}</span>;
}

/** Such as `1 request` and `1,000 requests`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;
}

/** Such as `100 requests per minute`, or `100 requests per 10 seconds`. */
export function describeRate({ requests, window }: NonNullable<StatusAnswer['rateLimit']>): string {
  return `${count(requests, 'request')} per ${describeSpan(window).replace(/^1 /, '')}`;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
] as const;

/** Milliseconds in at most two units, such as `1 hour 30 minutes`. */
export function describeSpan(milliseconds: number): string {
  let rest = Math.round(milliseconds);
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const whole = Math.floor(rest / size);
    if (whole > 0) parts.push(count(whole, unit));
    rest -= whole * size;
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
}
