import type { Item } from '../session/api.js';
import { Age } from '../ui/age.js';
import { CopyButton } from '../ui/copy.js';
import { useFreshRows } from '../ui/fresh-rows.js';
import { ListTable } from '../ui/list-table.js';
import { RowMenu } from '../ui/row-menu.js';
import type { ItemColumn } from './item-kind.js';

interface ItemTableProps<Kind> {
  readonly items: readonly Kind[];
  readonly columns: readonly ItemColumn<Kind>[];
  readonly onDo: (what: 'edit' | 'delete', item: Kind) => void;
}

export function ItemTable<Kind extends Item>({ items, columns, onDo }: ItemTableProps<Kind>) {
  const isFresh = useFreshRows(items, (item) => JSON.stringify(item));
  return (
    <ListTable titles={['Name', ...columns.map(({ title }) => title), 'Changed']}>
      {items.map((item) => (
        <tr key={item.id} class={isFresh(item.id) ? 'fresh' : ''}>
          <td>
            <NamedItem {...item} />
          </td>
          {columns.map(({ title, cell }) => (
            <td key={title}>{cell(item)}</td>
          ))}
          <td class="age changed">
            <Age at={item.updated_at} />
          </td>
          <td class="actions">
            <RowMenu
              of={item.name}
              actions={[
                { text: 'Edit…', act: () => onDo('edit', item) },
                { text: 'Delete…', isDangerous: true, act: () => onDo('delete', item) },
              ]}
            />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

export function NamedItem({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <>
      <span class="name">{name}</span>
      <span class="id">
        <code>{id}</code> <CopyButton text={id} what={`the ID of ${name}`} />
      </span>
    </>
  );
}
