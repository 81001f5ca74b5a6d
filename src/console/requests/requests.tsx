import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { forgetJournal, journal } from '../session/journal.js';
import { route, setQuery, toHref } from '../session/route.js';
import { call, isProxy, status } from '../session/server.js';
import { describeHits, NamedLines } from '../test-controls/rules.js';
import { Button } from '../ui/form.js';
import { attempt } from '../ui/notices.js';
import { Head, isFound, NoRows, Panel, SearchField } from '../ui/page.js';
import { Method, Status } from '../ui/words.js';
import { newEntry, Pane } from './entry.js';
import { nameFailure } from './explanation.js';

/** The list shows no more, so that a flood does not freeze the page. */
const shownAtMost = 300;

type Entries = readonly JournalEntryAnswer[];

export function Requests() {
  const { query } = route.value;
  const isRefused = query.get('refused') === 'true';
  const entry = query.get('entry');
  /** The requests at the moment of the pause. */
  const held = useSignal<Entries | undefined>(undefined);
  const all = held.value ?? journal.value;
  const found = useMemo(() => all && findRequests(all, isRefused), [all, query]);
  return (
    <div class={entry === null ? 'requests' : 'requests opened'}>
      <Actions held={held} />
      {isProxy.value && <ProxyFaults />}
      <Filters isRefused={isRefused} found={found?.length ?? 0} />
      <div class="journal">
        {found?.length === 0 && <NoRows noun="request" hint="They appear here as the server answers them." />}
        {found && found.length > 0 && <List found={found} opened={entry} />}
        {entry !== null && <Pane key={entry} entry={entry} onClose={close} />}
      </div>
    </div>
  );
}

/** Closes the opened request, and focuses its line. */
function close(): void {
  const entry = route.peek().query.get('entry') ?? '';
  setQuery({ entry: undefined });
  requestAnimationFrame(() => {
    const line = document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(entry)}"]`);
    (line ?? document.querySelector('h1'))?.focus();
  });
}

/** Newest first. */
function findRequests(all: Entries, isRefused: boolean): Entries {
  const found = all.filter(({ method, target, status, keyId, refusal }) => {
    if (isRefused && refusal === undefined) return false;
    const failure = refusal && [nameFailure(refusal.check), refusal.reason, refusal.mistake].join(' ');
    return isFound([method, target, status ?? 'dropped', keyId, failure].join(' '));
  });
  return found.toReversed();
}

function Actions({ held }: { readonly held: { value: Entries | undefined } }) {
  const last = held.value?.at(-1)?.id ?? 0;
  const waiting = held.value && (journal.value ?? []).filter(({ id }) => id > last).length;
  const clear = async () => {
    await call('journal.clear');
    held.value = undefined;
    forgetJournal();
    setQuery({ entry: undefined });
  };
  return (
    <Head title="Requests">
      <Button
        text={waiting === undefined ? 'Pause' : `Resume (${waiting} new)`}
        onClick={() => {
          held.value = held.value ? undefined : (journal.value ?? []);
        }}
      />
      {!isProxy.value && <Button text="Clear" onClick={() => attempt(clear, 'Requests cleared.')} />}
      {!isProxy.value && (
        <Button kind="primary" text="Send a request" onClick={() => setQuery({ entry: newEntry })} />
      )}
    </Head>
  );
}

function Filters({ isRefused, found }: { readonly isRefused: boolean; readonly found: number }) {
  return (
    <search class="filters row">
      <SearchField noun="request" placeholder="Path, status, key or reason" />
      <label class="row">
        <input
          type="checkbox"
          checked={isRefused}
          onChange={({ currentTarget }) =>
            setQuery({ refused: currentTarget.checked ? 'true' : undefined, entry: undefined })
          }
        />
        <span>Refused only</span>
      </label>
      {found > shownAtMost && (
        <span class="hint">
          The newest {shownAtMost} of {found.toLocaleString()}
        </span>
      )}
    </search>
  );
}

function List({ found, opened }: { readonly found: Entries; readonly opened: string | null }) {
  const query = Object.fromEntries(route.value.query);
  return (
    <section class="lines-of-journal" aria-label="Journal">
      <ol aria-label="Requests, newest first">
        {found.slice(0, shownAtMost).map((entry) => (
          <Line
            key={entry.id}
            entry={entry}
            href={toHref('requests', { ...query, entry: String(entry.id) })}
            isOpened={String(entry.id) === opened}
          />
        ))}
      </ol>
    </section>
  );
}

type LineProps = { readonly entry: JournalEntryAnswer; readonly href: string; readonly isOpened: boolean };

/** Rendered once: a stored request never changes. */
function Line({ entry, href, isOpened }: LineProps) {
  return useMemo(() => {
    const { id, time, method, target, status, milliseconds, keyId, refusal } = entry;
    return (
      <li>
        <a href={href} data-entry={id} aria-current={isOpened ? 'true' : undefined}>
          <time dateTime={time} title={time}>
            {toLocalTime(time)}
          </time>
          <Status of={status} />
          <Method name={method} />
          <span class="target">{target}</span>
          <span class="reason">{refusal && nameFailure(refusal.check)}</span>
          <span class="key">{keyId}</span>
          <span class="duration">{milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms</span>
        </a>
      </li>
    );
  }, [href, isOpened]);
}

function toLocalTime(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(11, 23);
}

function ProxyFaults() {
  const { faults = [] } = status.value ?? {};
  if (faults.length === 0) return null;
  return (
    <Panel title="Faults">
      <NamedLines of={faults.map((fault) => [fault.rule, describeHits(fault)])} />
    </Panel>
  );
}
