import type { ControlledKey } from '../../api/control/control-answers.js';
import { NamedItem } from '../resources/item-table.js';
import { route, toHref } from '../session/router.js';
import { Age } from '../ui/age.js';
import { useFreshRows } from '../ui/fresh-rows.js';
import { ListTable } from '../ui/list-table.js';
import { RowMenu } from '../ui/row-menu.js';

export type KeyAction = 'rename' | 'turn' | 'revoke';

export interface KeyTableProps {
  readonly keys: readonly ControlledKey[];
  readonly onDo: (what: KeyAction, key: ControlledKey) => void;
}

export function KeyTable({ keys, onDo }: KeyTableProps) {
  const marked = route.value.query.get('key');
  const isFresh = useFreshRows(keys, ({ name, enabled }) => `${enabled} ${name}`);
  return (
    <ListTable titles={['Key', 'Status', 'Last used', 'Issued']}>
      {keys.map((key) => (
        <tr key={key.id} class={`${key.id === marked ? 'marked' : ''} ${isFresh(key.id) ? 'fresh' : ''}`}>
          <td>
            <NamedItem {...key} />
          </td>
          <td>
            <span class={key.enabled ? 'badge good' : 'badge bad'}>{describeEnabled(key.enabled)}</span>
          </td>
          <td class="age used">
            <Age at={key.last_used_at} />
          </td>
          <td class="age issued">
            <Age at={key.created_at} />
          </td>
          <td class="actions">
            <RowMenu
              of={key.name}
              actions={[
                { text: 'Rename…', act: () => onDo('rename', key) },
                { text: key.enabled ? 'Disable' : 'Enable', act: () => onDo('turn', key) },
                { text: 'Show requests', href: toHref('requests', { search: key.id }) },
                { text: 'Revoke…', isDangerous: true, act: () => onDo('revoke', key) },
              ]}
            />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

export function describeEnabled(enabled: boolean): string {
  return enabled ? 'enabled' : 'disabled';
}
