import { type ConnectionItem, itemsOf } from '../session/api.js';
import { bodyOf, ConnectionFields } from './connection-fields.js';
import { ItemList } from './item-list.js';

const connections = itemsOf<ConnectionItem>('connections');

export function Connections() {
  return (
    <ItemList
      kind="connections"
      title="Connections"
      singular="connection"
      calls={connections}
      columns={[
        { title: 'Type', cell: ({ type }) => type },
        { title: 'Where', cell: where },
      ]}
      bodyOf={bodyOf}
      fields={(connection) => <ConnectionFields of={connection} />}
    />
  );
}

function where({ config }: ConnectionItem) {
  const { user, host, port, database } = config;
  if (typeof host !== 'string') return <span class="faint">{Object.keys(config).join(', ')}</span>;
  return (
    <code>
      {user !== undefined && `${user}@`}
      {host}
      {port !== undefined && `:${port}`}
      {database !== undefined && `/${database}`}
    </code>
  );
}
