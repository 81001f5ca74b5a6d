import { expect, it } from 'vitest';
import type { Client } from '../../src/client/index.js';

it('does not compile with what is misspelt', () => {
  const wrong = [
    // @ts-expect-error no config
    (api: Client) => api.connections.create({ name: 'x', type: 'pg', config: {} }),
    // @ts-expect-error nmae for name
    (api: Client) => api.teams.create({ nmae: 'x' }),
    // @ts-expect-error enabled in the console alone
    (api: Client) => api.apiKeys.update('key_1', { enabled: true }),
    // @ts-expect-error hsot
    (api: Client) => api.connections.update('conn_1', { config: { hsot: 'x' } }),
    // @ts-expect-error hsot, with its type
    (api: Client) => api.connections.update('conn_1', { type: 'pg', config: { hsot: 'x' } }),
    // @ts-expect-error enabeld of what is returned
    async (api: Client) => (await api.apiKeys.get('key_1')).enabeld,
    // @ts-expect-error remainig
    async (api: Client) => (await api.quotas.read())['teams']?.remainig,
  ];
  const right = [
    (api: Client) => api.connections.update('conn_1', { type: 'mongodb', config: { uri: 'x' } }),
    (api: Client) => api.connections.update('conn_1', { name: 'x', config: { port: 1 } }),
  ];
  expect([wrong.length, right.length]).toEqual([7, 2]);
});
