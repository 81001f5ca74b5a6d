import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../session/router.js';

/** Milliseconds between the last keystroke and the search. */
const searchPause = 200;

interface SearchFieldProps {
  readonly what: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
}

export function SearchField({ what, value, placeholder = 'Name or ID' }: SearchFieldProps) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Not while typing: `value` lags behind the field by `searchPause`.
    if (input.current !== null && document.activeElement !== input.current) input.current.value = value ?? '';
  }, [value]);
  return (
    <input
      ref={input}
      type="search"
      class="search"
      aria-label={what}
      placeholder={`${placeholder}  ( / )`}
      maxLength={255}
      defaultValue={value ?? ''}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(
          () => setQuery({ search: currentTarget.value, page: undefined, key: undefined, path: undefined }),
          searchPause,
        );
      }}
    />
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly what: string;
}

export function Pager({ page, pages, total, what }: PagerProps) {
  const go = (to: number) => setQuery({ page: to === 1 ? undefined : String(to) });
  return (
    <nav class="pager" aria-label="Pages">
      <span class="faint">
        {total.toLocaleString()} {what}
        {pages > 1 && ` · page ${page} of ${pages}`}
      </span>
      {pages > 1 && (
        <>
          <button type="button" class="small" disabled={page <= 1} onClick={() => go(page - 1)}>
            Previous
          </button>
          <button type="button" class="small" disabled={page >= pages} onClick={() => go(page + 1)}>
            Next
          </button>
        </>
      )}
    </nav>
  );
}
