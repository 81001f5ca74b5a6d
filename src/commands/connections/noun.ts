import { connections } from '../../api/resources/connection.js';
import type { Connection, PostgresType } from '../../api/resources/records.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import type { Noun } from '../resource/noun.js';

const view: TypedView<Resource, Connection<PostgresType>> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'TYPE', value: 'type', rank: 3 },
    { header: 'HOST', value: 'config.host', rank: 2 },
    { header: 'PORT', value: 'config.port', align: 'right', rank: 4 },
    { header: 'DATABASE', value: 'config.database', rank: 5 },
    { header: 'USER', value: 'config.user', rank: 6 },
    { header: 'SSL', value: 'config.ssl', rank: 8 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 7 },
    { header: 'UPDATED', value: 'updated_at', drawn: showAge, rank: 9 },
  ],
  empty: 'no connections',
  fields: ['config'],
  example: { id: 'conn_0', name: 'example' },
};

export const connection: Noun = {
  resource: connections,
  exampleName: 'app',
  view,
  place: ({ config }) => (isResource(config) ? config['host'] : undefined),
};
