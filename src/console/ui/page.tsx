import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from '../session/loaded.js';
import { route, setQuery } from '../session/route.js';
import { Button } from './form.js';

export function Head({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · orgctl console`;
  }, [title]);
  return (
    <header class="head row">
      <h1 tabIndex={-1}>{title}</h1>
      <div class="row">{children}</div>
    </header>
  );
}

interface PanelProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, actions, children }: PanelProps) {
  return (
    <section class="panel">
      <header class="row">
        <h2>
          {title}
          {note && <span class="faint"> · {note}</span>}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

interface FactsProps {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Leaves out what is unknown. */
export function Facts({ of }: FactsProps) {
  return (
    <dl class="facts">
      {of.map(
        ([name, value]) =>
          value !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

interface ShowProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** The loaded data, and the error of the latest load. app.tsx reports a server that does not respond. */
export function Show<Value>({ of: { value, error, reload }, children }: ShowProps<Value>) {
  const isRefused = error.value !== undefined && error.value.status !== 0;
  return (
    <>
      {isRefused && (
        <div class="state bad" role="alert">
          <p>{error.value?.message}</p>
          <Button text="Try again" onClick={reload} />
        </div>
      )}
      {value.value !== undefined && children(value.value)}
    </>
  );
}

/** Milliseconds between the last keystroke and the search. */
const searchPause = 200;

let searching: ReturnType<typeof setTimeout> | undefined;

type SearchFieldProps = { readonly noun: string; readonly placeholder?: string };

/** Each pause in typing changes the parameter `search` of the address. */
export function SearchField({ noun, placeholder = 'Name or ID' }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const value = readSearch() ?? '';
  useEffect(() => {
    // While typing, the address lags behind the field.
    if (input.current && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      type="search"
      class="search"
      aria-label={`Search ${noun}s`}
      placeholder={placeholder}
      maxLength={255}
      defaultValue={value}
      onInput={({ currentTarget }) => {
        clearTimeout(searching);
        searching = setTimeout(() => setQuery({ search: currentTarget.value, page: undefined }), searchPause);
      }}
    />
  );
}

export function readSearch(): string | undefined {
  return route.value.query.get('search') ?? undefined;
}
