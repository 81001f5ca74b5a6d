import { expect, it } from 'vitest';
import { addFlatSettings } from '../../../src/client/reading/record/flat-settings.js';

const flat = { id: 'conn_1', name: 'a', host: 'h', database: 'd', user: 'u' };

it.each<[object, object | undefined]>([
  [
    { port: 1, ssl: true, status: 'ok' },
    { host: 'h', port: 1, database: 'd', user: 'u', ssl: true },
  ],
  [{ password: 'p' }, { host: 'h', database: 'd', user: 'u' }],
  [{ user: { id: 7 } }, undefined],
  [{ username: 'other' }, undefined],
  [{ host: null }, undefined],
  [{ config: null }, undefined],
  [{ config: { host: 'x' } }, undefined],
])('settings beside the name, with %j, are %j', (more, config) => {
  const connection = { ...flat, ...more };
  const own = 'config' in connection ? connection.config : undefined;
  const read = addFlatSettings({ ...connection });
  expect(read['config']).toEqual(config ?? own);
  expect({ ...read }).toEqual(connection);
});
