import type { StatusAnswer } from '../../api/control/control-answers.js';
import { toHref } from '../session/router.js';

/** Banner for active faults, stubs, clock offset and rate limit. */
export function Unrest({ status }: { readonly status: StatusAnswer }) {
  const { stubs = [], clock, rateLimit } = status;
  const faults = status.faults.filter(({ remaining }) => remaining !== 0);
  const said = [
    faults.length > 0 &&
      `${faults.length} ${faults.length === 1 ? 'fault rule is' : 'fault rules are'} active.`,
    stubs.length > 0 && `${stubs.length} ${stubs.length === 1 ? 'stub is' : 'stubs are'} active.`,
    clock.offset !== 0 &&
      `The clock is ${formatSpan(Math.abs(clock.offset))} ${clock.offset > 0 ? 'ahead' : 'behind'}.`,
    rateLimit !== null && `Each key may send ${describeRate(rateLimit)}.`,
  ].filter((text) => text !== false);
  if (said.length === 0) return null;
  return (
    <div class="state warn">
      <p>
        {said.join(' ')} <a href={toHref('test-controls')}>Open test controls</a>
      </p>
    </div>
  );
}

/** Such as `100 requests per minute`, or `100 requests every 10 seconds`. */
export function describeRate({ requests, window }: NonNullable<StatusAnswer['rateLimit']>): string {
  const [, unit] = /^1 (\w+)$/.exec(formatSpan(window)) ?? [];
  const span = unit === undefined ? `every ${formatSpan(window)}` : `per ${unit}`;
  return `${requests} request${requests === 1 ? '' : 's'} ${span}`;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
] as const;

/** Milliseconds in words, in at most two units: `10 minutes`, `1 hour 30 minutes`. */
export function formatSpan(milliseconds: number): string {
  let rest = Math.round(milliseconds);
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`);
    rest -= count * size;
  }
  return parts.slice(0, 2).join(' ') || '0 seconds';
}
