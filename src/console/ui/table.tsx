import type { ComponentChildren } from 'preact';
import { route, setQuery } from '../session/route.js';
import { Copyable } from './copy.js';
import { Button } from './form.js';
import { count } from './words.js';

interface Named {
  readonly id: string;
  readonly name: string;
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
export function Table<Row extends Named>({ rows, columns, children }: TableProps<Row>) {
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
  // Also on a page that has lost its last row.
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
