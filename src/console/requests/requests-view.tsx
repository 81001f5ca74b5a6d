import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../session/api.js';
import { attemptAndTell } from '../session/notices.js';
import { route, setQuery, toHref } from '../session/router.js';
import { subscribeToJournal } from '../session/stream.js';
import { Head } from '../ui/states.js';
import { EntryDetail } from './entry.js';
import { Filters, filterNames } from './filters.js';
import { JournalRows } from './journal.js';
import { JournalList } from './journal-list.js';

export function Requests() {
  const { query } = route.value;
  const filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? undefined]));
  const asked = JSON.stringify(filter);
  const rows = useMemo(() => new JournalRows(), [asked]);
  useEffect(() => subscribeToJournal(filter, (news) => rows.take(news)), [asked]);
  const isEmpty = useComputed(() => rows.isThere.value && rows.shown.value.length === 0);
  const entry = Number(query.get('entry')) || undefined;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const clear = async () => {
    if (!(await attemptAndTell(api.journal.clear, 'The journal is empty.'))) return;
    rows.clear();
    setQuery({ entry: undefined });
  };
  return (
    <div class={entry === undefined ? 'requests' : 'requests opened'}>
      <Head title="Requests">
        <button type="button" aria-pressed={rows.isPaused.value} onClick={() => rows.turn()}>
          {rows.isPaused.value ? `Go on (${rows.waiting.value} new)` : 'Pause'}
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
      </Head>
      <Filters query={query} />
      {rows.missed.value > 0 && (
        <p class="state warn" role="status">
          {rows.missed.value.toLocaleString()} requests came faster than they could be told, and are not
          shown.
        </p>
      )}
      <div class="journal">
        {isEmpty.value ? (
          <NoRequests isFiltered={isFiltered} />
        ) : (
          <JournalList rows={rows.shown} opened={entry} />
        )}
        {entry !== undefined && <EntryDetail key={entry} id={entry} />}
      </div>
    </div>
  );
}

function NoRequests({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <div class="state">
      <h2>{isFiltered ? 'No such request' : 'No request yet'}</h2>
      {isFiltered ? (
        <p>
          None of those that are kept is like that. One that comes is shown at once.{' '}
          <a href={toHref('requests')}>Show all</a>
        </p>
      ) : (
        <p>
          Each is shown here as it is answered. <a href={toHref('overview')}>Make the first one</a>
        </p>
      )}
    </div>
  );
}
