import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { LoadedState } from '../session/loaded.js';
import { setQuery } from '../session/router.js';

/** The loaded data, and the error if the latest load failed. app.tsx reports a server that does not respond. */
export function Show<Value>({
  of,
  children,
}: {
  readonly of: LoadedState<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const value = of.value.value;
  const error = of.error.value;
  return (
    <>
      {error !== undefined && error.status !== 0 && (
        <div class="state bad" role="alert">
          <p>{error.message}</p>
          <button type="button" onClick={() => void of.reload()}>
            Try again
          </button>
        </div>
      )}
      {value === undefined
        ? error === undefined && <p class="waiting" aria-hidden="true" />
        : children(value)}
    </>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function NothingFound({ text }: { readonly text: string }) {
  return (
    <Empty title="Nothing found">
      <p>{text}</p>
      <button type="button" onClick={() => setQuery({ search: undefined, page: undefined })}>
        Show all
      </button>
    </Empty>
  );
}

export function Head({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · orgctl console`;
  }, [title]);
  return (
    <header class="head">
      <h1 tabIndex={-1}>{title}</h1>
      <div class="buttons">{children}</div>
    </header>
  );
}
