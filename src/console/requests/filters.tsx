import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../session/router.js';
import { SearchField } from '../ui/paging.js';

/** URL parameters that the server applies as filters. */
const filterNames = ['refused', 'method', 'status'] as const;

/** All URL parameters that filter; the page itself applies `search`. */
const urlParameters = [...filterNames, 'search'];

/** Milliseconds between the last keystroke and the request. */
const typingPause = 250;

export function Filters({ query }: { readonly query: URLSearchParams }) {
  const isFiltered = urlParameters.some((name) => query.has(name));
  return (
    <search class="filters">
      <SearchField what="Search requests" placeholder="Path, key or reason" value={readSearch(query)} />
      <label class="check">
        <input
          type="checkbox"
          checked={query.get('refused') === 'true'}
          onChange={({ currentTarget }) => askFilter('refused', currentTarget.checked ? 'true' : undefined)}
        />
        <span>Refused only</span>
      </label>
      <label>
        <span>Method</span>
        <select
          value={query.get('method') ?? ''}
          onChange={({ currentTarget }) => askFilter('method', currentTarget.value)}
        >
          <option value="">any</option>
          {['GET', 'POST', 'PATCH', 'DELETE'].map((method) => (
            <option key={method}>{method}</option>
          ))}
        </select>
      </label>
      <FilterField name="status" label="Status" placeholder="404 or 4xx" value={query.get('status')} />
      <button
        type="button"
        class="small"
        disabled={!isFiltered}
        onClick={() => setQuery(Object.fromEntries(urlParameters.map((name) => [name, undefined])))}
      >
        Show all
      </button>
    </search>
  );
}

interface PartProps {
  readonly name: (typeof filterNames)[number];
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | null;
}

export function readSearch(query: URLSearchParams): string | undefined {
  return query.get('search') ?? undefined;
}

export function readFilter(query: URLSearchParams): Record<string, string | undefined> {
  return Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? undefined]));
}

/** A filter is sent only if it matches its pattern: the server would refuse a half-typed `4x`. */
const filterPatterns: Partial<Record<(typeof filterNames)[number], RegExp>> = {
  status: /^[1-5](?:\d\d|xx)$/i,
};

function FilterField({ name, label, placeholder, value }: PartProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not while typing: the URL lags behind the field by `typingPause`.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);
  const type = (text: string) => {
    clearTimeout(timer.current);
    if (text === '' || (filterPatterns[name]?.test(text) ?? true))
      timer.current = setTimeout(() => askFilter(name, text), typingPause);
  };
  return (
    <label>
      <span>{label}</span>
      <input
        ref={input}
        type="text"
        class={`by-${name}`}
        placeholder={placeholder}
        defaultValue={value ?? ''}
        spellcheck={false}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}

function askFilter(name: (typeof filterNames)[number], value: string | undefined): void {
  setQuery({ [name]: value, entry: undefined });
}
