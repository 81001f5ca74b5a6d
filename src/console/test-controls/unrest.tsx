import type { StatusAnswer } from '../../api/control/control-answers.js';
import { toHref } from '../session/router.js';

/** Banner for active faults, clock offset and rate limit. */
export function Unrest({ status }: { readonly status: StatusAnswer }) {
  const { faults, stubs = [], clock, rateLimit } = status;
  const said = [
    faults.length > 0 &&
      `${faults.length === 1 ? 'A fault rule makes' : `${faults.length} fault rules make`} requests fail.`,
    stubs.length > 0 &&
      `${stubs.length === 1 ? 'A stub answers' : `${stubs.length} stubs answer`} instead of the service.`,
    clock.offset !== 0 &&
      `The clock is ${formatWindow(Math.abs(clock.offset))} ${clock.offset > 0 ? 'ahead' : 'behind'}.`,
    rateLimit !== null && `Each key may send ${describeRate(rateLimit)}.`,
  ].filter((text) => text !== false);
  if (said.length === 0) return null;
  return (
    <div class="state warn">
      <p>
        {said.join(' ')} <a href={toHref('lab')}>Open the lab</a>
      </p>
    </div>
  );
}

/** Such as `100 requests per 1m`. */
export function describeRate({ requests, window }: NonNullable<StatusAnswer['rateLimit']>): string {
  return `${requests} request${requests === 1 ? '' : 's'} per ${formatWindow(window)}`;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
  [1, 'ms'],
] as const;

/** Milliseconds as `10m` or `1h 30m`, which the service also accepts. */
export function formatWindow(milliseconds: number): string {
  let rest = Math.round(milliseconds);
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.slice(0, 2).join(' ') || '0s';
}
