import { type ConnectionItem, makeItemCalls } from '../session/api.js';
import { ConnectionFields, readForm } from './connection-fields.js';
import { ItemList } from './item-list.js';

const connectionCalls = makeItemCalls<ConnectionItem>('connections');

export function ConnectionsView() {
  return (
    <ItemList
      kind="connections"
      title="Connections"
      singular="connection"
      calls={connectionCalls}
      columns={[
        { title: 'Type', cell: ({ type }) => type },
        { title: 'Where', cell: where },
      ]}
      bodyOf={readForm}
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
