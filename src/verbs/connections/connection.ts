import { connections } from '../../api/resources/connection.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { View } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import type { ResourceCommand } from '../resource/resource-command.js';

const connectionView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'TYPE', value: 'type' },
    { header: 'HOST', value: 'config.host' },
    { header: 'PORT', value: 'config.port', align: 'right' },
    { header: 'DATABASE', value: 'config.database' },
    { header: 'USER', value: 'config.user' },
    { header: 'SSL', value: 'config.ssl' },
    { header: 'CREATED', value: 'created_at', drawn: showAge },
  ],
  empty: 'no connections',
  fields: ['config', 'updated_at'],
  example: { id: 'conn_0', name: 'example' },
};

export const connection: ResourceCommand = {
  resource: connections,
  exampleId: 'conn_40b46949',
  view: connectionView,
  place: ({ config }) => (isResource(config) ? config['host'] : undefined),
};
