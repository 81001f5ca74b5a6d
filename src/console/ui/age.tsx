import { clockOffset, describeAge, now } from '../session/clock.js';

interface AgeProps {
  /** ISO 8601; if absent, the text of `none` is shown. */
  readonly at: string | null | undefined;
  readonly none?: string;
  /** Whether `at` comes from this machine's clock, not from the server's adjustable clock. */
  readonly byMachine?: boolean;
}

export function Age({ at, none = 'never', byMachine = false }: AgeProps) {
  if (at === null || at === undefined) return <span class="faint">{none}</span>;
  const clock = byMachine ? now.value - clockOffset.value : now.value;
  return (
    <time dateTime={at} title={at}>
      {describeAge(Date.parse(at), clock)}
    </time>
  );
}
