import { useEffect, useMemo } from 'preact/hooks';
import type { FaultAnswer } from '../../api/control/control-answers.js';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { route, setQuery, toHref } from '../session/router.js';
import { isProxy, type ViewProps } from '../session/status.js';
import { subscribeToJournal } from '../session/stream.js';
import { Head } from '../ui/states.js';
import { EntryDetail } from './entry.js';
import { Filters, readFilter, readSearch } from './filters.js';
import { JournalRows } from './journal.js';
import { JournalList } from './journal-list.js';

export function Requests({ status }: ViewProps) {
  const { query } = route.value;
  const filter = readFilter(query);
  const asked = JSON.stringify(filter);
  const rows = useMemo(() => new JournalRows(), [asked]);
  const search = readSearch(query);
  useEffect(() => {
    rows.search.value = search ?? '';
  }, [rows, search]);
  useEffect(() => subscribeToJournal(filter, (news) => rows.take(news)), [asked]);
  const entry = Number(query.get('entry')) || undefined;
  const isFiltered = search !== undefined || Object.values(filter).some((value) => value !== undefined);
  const clear = async () => {
    if (!(await attemptAndTell(api.journal.clear, 'Requests cleared.'))) return;
    rows.clear();
    setQuery({ entry: undefined });
  };
  return (
    <div class={entry === undefined ? 'requests' : 'requests opened'}>
      <Head title="Requests">
        <button type="button" aria-pressed={rows.isPaused.value} onClick={() => rows.turn()}>
          {rows.isPaused.value ? `Resume (${rows.waiting.value} new)` : 'Pause'}
        </button>
        {!isProxy.value && (
          <button type="button" onClick={clear}>
            Clear
          </button>
        )}
      </Head>
      {isProxy.value && <ProxyFaults faults={status.value.value?.faults ?? []} />}
      <Filters query={query} />
      {rows.missed.value > 0 && (
        <p class="state warn" role="status">
          {rows.missed.value.toLocaleString()} request{rows.missed.value === 1 ? '' : 's'} arrived too fast to
          display.
        </p>
      )}
      <div class="journal">
        {rows.isEmpty.value ? (
          <NoRequests isFiltered={isFiltered} hadAny={rows.hadAny.value} />
        ) : (
          <JournalList rows={rows.shown} opened={entry} />
        )}
        {entry !== undefined && <EntryDetail key={entry} id={entry} status={status.value.value} />}
      </div>
    </div>
  );
}

function ProxyFaults({ faults }: { readonly faults: readonly FaultAnswer[] }) {
  if (faults.length === 0) return null;
  return (
    <section class="panel">
      <h2>Faults</h2>
      <ul class="rules">
        {faults.map(({ rule, hits, remaining }, at) => (
          <li key={`${at} ${rule}`}>
            <code>{rule}</code>
            <span class="number faint">
              {hits} hit{hits === 1 ? '' : 's'}
              {remaining !== undefined && `, ${remaining} left`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface NoRequestsProps {
  readonly isFiltered: boolean;
  readonly hadAny: boolean;
}

function NoRequests({ isFiltered, hadAny }: NoRequestsProps) {
  return (
    <div class="state">
      <h2>{isFiltered ? 'No matching requests' : hadAny ? 'No requests' : 'No requests yet'}</h2>
      {isFiltered ? (
        <p>
          New matches appear here automatically. <a href={toHref('requests')}>Show all</a>
        </p>
      ) : (
        <p>
          {hadAny ? 'New ones' : 'They'} appear here as the server answers them.{' '}
          {!isProxy.value && !hadAny && <a href={toHref('overview')}>Make the first one</a>}
        </p>
      )}
    </div>
  );
}
