import type { ComponentChildren } from 'preact';

interface ListTableProps {
  /** Titles of all columns except the last, which has the row's actions. */
  readonly titles: readonly string[];
  readonly children: ComponentChildren;
}

export function ListTable({ titles, children }: ListTableProps) {
  return (
    <table class="list">
      <thead>
        <tr>
          {titles.map((title) => (
            <th scope="col" key={title}>
              {title}
            </th>
          ))}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
