import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { route, setQuery } from '../session/route.js';
import type { Loaded } from '../session/server.js';
import { Button } from './form.js';
import { Copyable, count } from './words.js';

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

/** Leaves out unknown values. */
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
  return (
    <>
      {error?.status === 0 && value === undefined && <p class="faint">This has not been loaded.</p>}
      {error && error.status !== 0 && (
        <div class="state bad" role="alert">
          <p>{error.message}</p>
          <Button text="Try again" onClick={reload} />
        </div>
      )}
      {value !== undefined && children(value)}
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

/** Whether the text has all words of the search, in any order. */
export function isFound(text: string): boolean {
  const words = readSearch()?.toLowerCase().split(/\s+/) ?? [];
  return words.every((word) => text.toLowerCase().includes(word));
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The buttons of a row. */
  readonly children: (row: Row) => ComponentChildren;
}

/** On a narrow page, each row is a card. */
export function Table<Row extends { readonly id: string; readonly name: string }>({
  rows,
  columns,
  children,
}: TableProps<Row>) {
  return (
    <table class="list">
      <thead>
        <tr>
          {['Name', ...columns.map(({ title }) => title)].map((title) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <strong>{row.name}</strong>
              <br />
              <Copyable text={row.id} what={`the ID of ${row.name}`} />
            </td>
            {columns.map(({ title, cell }) => (
              <td key={title} data-title={title}>
                {cell(row)}
              </td>
            ))}
            <td>
              <div class="row">{children(row)}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function NoRows({ noun, hint }: { readonly noun: string; readonly hint: string }) {
  const all = { search: undefined, refused: undefined, page: undefined };
  const isFiltered = Object.keys(all).some((name) => route.value.query.has(name));
  return (
    <div class="state">
      <h2>{isFiltered ? `No matching ${noun}s` : `No ${noun}s yet`}</h2>
      {isFiltered ? <Button text="Show all" onClick={() => setQuery(all)} /> : <p>{hint}</p>}
    </div>
  );
}

interface PagerProps {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly noun: string;
}

export function Pager({ page, pages, total, noun }: PagerProps) {
  // The last page may have lost its last row.
  const isPaged = pages > 1 || page > 1;
  const go = (to: number) => setQuery({ page: to === 1 ? undefined : String(to) });
  return (
    <nav class="row" aria-label="Pages">
      <span class="faint">
        {count(total, noun)}
        {isPaged && ` · page ${page} of ${pages}`}
      </span>
      {isPaged && (
        <>
          <Button kind="small" text="Previous" isDisabled={page <= 1} onClick={() => go(page - 1)} />
          <Button kind="small" text="Next" isDisabled={page >= pages} onClick={() => go(page + 1)} />
        </>
      )}
    </nav>
  );
}
