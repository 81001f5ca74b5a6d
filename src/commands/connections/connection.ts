import { isResource, type Resource } from '../../contract/resource.js';
import { connections } from '../../contract/resources/connection.js';
import { ageOf } from '../../terminal/age.js';
import type { View } from '../../terminal/printer.js';
import { deleteVerb } from '../resource/delete.js';
import { getVerb } from '../resource/get.js';
import { listVerb } from '../resource/list.js';
import type { Noun } from '../resource/noun.js';

export const connectionView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'TYPE', value: 'type' },
    { header: 'HOST', value: 'config.host' },
    { header: 'PORT', value: 'config.port', align: 'right' },
    { header: 'DATABASE', value: 'config.database' },
    { header: 'USER', value: 'config.user' },
    { header: 'SSL', value: 'config.ssl' },
    { header: 'CREATED', value: 'created_at', drawn: ageOf },
  ],
  empty: 'no connections',
  fields: ['config', 'updated_at'],
  example: { id: 'conn_0', name: 'example' },
};

export const connection: Noun = {
  resource: connections,
  exampleId: 'conn_40b46949',
  view: connectionView,
  place: ({ config }) => (isResource(config) ? config['host'] : undefined),
};

export const list = listVerb(connection);
export const get = getVerb(connection);
export const remove = deleteVerb(connection);
