import type { ControlledKey } from '../../api/control/control-answers.js';
import { NamedItem } from '../resources/item-table.js';
import { route, toHref } from '../session/router.js';
import { Age } from '../ui/age.js';
import { ListTable } from '../ui/list-table.js';

interface KeyTableProps {
  readonly keys: readonly ControlledKey[];
  readonly onTurn: (key: ControlledKey) => void;
  readonly onRevoke: (key: ControlledKey) => void;
}

export function KeyTable({ keys, onTurn, onRevoke }: KeyTableProps) {
  const marked = route.value.query.get('key');
  return (
    <ListTable titles={['Key', 'Status', 'Last used', 'Issued']}>
      {keys.map((key) => (
        <tr key={key.id} class={key.id === marked ? 'marked' : ''}>
          <td>
            <NamedItem {...key} />
          </td>
          <td>
            <span class={key.enabled ? 'badge good' : 'badge bad'}>
              {key.enabled ? 'enabled' : 'disabled'}
            </span>
          </td>
          <td class="age used">
            <Age at={key.last_used_at} />
          </td>
          <td class="age issued">
            <Age at={key.created_at} />
          </td>
          <td class="actions">
            <button
              type="button"
              class="small"
              aria-label={`${key.enabled ? 'Disable' : 'Enable'} ${key.name}`}
              onClick={() => onTurn(key)}
            >
              {key.enabled ? 'Disable' : 'Enable'}
            </button>
            <a
              class="button small"
              aria-label={`Requests of ${key.name}`}
              href={toHref('requests', { search: key.id })}
            >
              Requests
            </a>
            <button
              type="button"
              class="small danger"
              aria-label={`Revoke ${key.name}`}
              onClick={() => onRevoke(key)}
            >
              Revoke…
            </button>
          </td>
        </tr>
      ))}
    </ListTable>
  );
}
