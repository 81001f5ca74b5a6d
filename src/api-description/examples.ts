import { limitedResources, type PlainResource } from '../api/resources/index.js';

const times = { created_at: '2026-01-05T09:30:00.000Z', updated_at: '2026-01-05T09:30:00.000Z' };
const exampleKey = {
  id: 'key_21f3b017',
  name: 'ci',
  enabled: true,
  last_used_at: null,
  created_at: times.created_at,
};
const exampleConfig = { host: 'db.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
const quota = (limit: number, used: number) => ({ limit, used, remaining: limit - used });

export const exampleBodies: Readonly<Record<string, readonly unknown[]>> = {
  Error: [{ statusCode: 401, message: 'Invalid API signature' }],
  Quota: [quota(10, 4)],
  QuotaRecord: [
    Object.fromEntries(
      limitedResources.map(({ kind, quota: limit }, at) => [kind, quota(limit, countUsed(at))]),
    ),
  ],
  ApiKey: [exampleKey],
  CreatedApiKey: [{ ...exampleKey, secret: '0123456789abcdef'.repeat(4) }],
  ApiKeyInput: [{ name: 'ci' }, { name: 'later', enabled: false }],
  ApiKeyPatch: [{ name: 'deploy' }, { enabled: false }],
  Connection: [{ id: 'conn_40b46949', name: 'app', type: 'postgresql', config: exampleConfig, ...times }],
  ConnectionInput: [
    {
      name: 'app',
      type: 'postgresql',
      config: { ...exampleConfig, password: 'correct horse battery staple' },
    },
    { name: 'cache', type: 'redis', config: { url: 'redis://cache.example.com' } },
  ],
  ConnectionPatch: [{ config: { host: 'db2.example.com' } }],
};

/** Differs between kinds; 0 for some. */
function countUsed(at: number): number {
  return (2 * (at + 1)) % 6;
}

export function plainExamples({ example, answer }: PlainResource) {
  const { id: _, ...input } = example;
  const stamps = Object.entries(times).filter(([field]) => field in answer().shape);
  return {
    item: [{ ...example, ...Object.fromEntries(stamps) }],
    input: [input],
    patch: [{ name: `${input.name}-2` }],
  };
}
