import { now } from '../session/clock.js';
import { route, toHref } from '../session/router.js';
import { freshFor } from '../ui/fresh-rows.js';
import { Method } from '../ui/method.js';
import { nameFailure } from './failure-names.js';
import type { JournalRow } from './journal.js';
import { chooseTone } from './tone.js';

/** Height of a line in pixels; journal.css must use the same height. */
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
    <li
      aria-posinset={at + 1}
      aria-setsize={of}
      class={Date.parse(time) > now.peek() - freshFor ? 'fresh' : ''}
      style={{ top: `${at * lineHeight}px` }}
    >
      <a
        href={toHref('requests', { ...query, entry: String(id) })}
        data-id={id}
        data-at={at}
        aria-current={isOpened ? 'true' : undefined}
      >
        <time dateTime={time} title={time}>
          {toLocalTime(time)}
        </time>
        <span class={`status ${chooseTone(status)}`}>{status ?? 'dropped'}</span>
        <Method name={method} />
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

function toLocalTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}
