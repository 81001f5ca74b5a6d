import { clockOffset, describeAge, now } from '../session/clock.js';

interface AgeProps {
  /** ISO 8601; absent shows a word. */
  readonly at: string | null | undefined;
  readonly none?: string;
  /** The time is from this machine's clock, not the server's adjustable one. */
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
