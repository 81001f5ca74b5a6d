import { route, toHref } from '../session/router.js';
import { nameFailure } from './failure-names.js';
import type { JournalRow } from './journal.js';

/** Pixels of a line; the style sheet has the same. */
export const lineHeight = 30;

interface JournalLineProps {
  readonly row: JournalRow;
  readonly at: number;
  readonly of: number;
  readonly isOpened: boolean;
}

export function JournalLine({ row, at, of, isOpened }: JournalLineProps) {
  const { id, time, method, target, status, milliseconds, keyId, check } = row;
  const query = Object.fromEntries(route.peek().query);
  return (
    <li aria-posinset={at + 1} aria-setsize={of} style={{ top: `${at * lineHeight}px` }}>
      <a
        href={toHref('requests', { ...query, entry: String(id) })}
        data-id={id}
        data-at={at}
        aria-current={isOpened ? 'true' : undefined}
      >
        <time dateTime={time} title={time}>
          {toLocalTime(time)}
        </time>
        <span class={`status ${chooseTone(status)}`}>{status ?? 'cut'}</span>
        <span class="method">{method}</span>
        <span class="target">{target}</span>
        <span class="check">{check && nameFailure(check)}</span>
        <span class="key">{keyId}</span>
        <span class="duration">
          {milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms
        </span>
      </a>
    </li>
  );
}

/** The time of day here, to the millisecond. */
function toLocalTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

/** How an answer went: well, for the client to mend, or for the service. */
export function chooseTone(status: number | null): 'good' | 'warn' | 'bad' {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
