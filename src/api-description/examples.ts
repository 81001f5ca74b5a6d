const times = { created_at: '2026-01-05T09:30:00.000Z', updated_at: '2026-01-05T09:30:00.000Z' };
const apiKey = {
  id: 'key_21f3b017',
  name: 'ci',
  enabled: true,
  last_used_at: null,
  created_at: times.created_at,
};
const config = { host: 'db.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
const quota = (limit: number, used: number) => ({ limit, used, remaining: limit - used });

/** Examples of the named schemas. */
export const examples: Readonly<Record<string, readonly unknown[]>> = {
  Error: [{ statusCode: 401, message: 'Invalid API signature' }],
  Quota: [quota(10, 4)],
  QuotaRecord: [{ 'api-keys': quota(20, 2), connections: quota(10, 4), teams: quota(20, 0) }],
  ApiKey: [apiKey],
  CreatedApiKey: [{ ...apiKey, secret: '0123456789abcdef'.repeat(4) }],
  ApiKeyInput: [{ name: 'ci' }, { name: 'later', enabled: false }],
  ApiKeyPatch: [{ name: 'deploy' }, { enabled: false }],
  Connection: [{ id: 'conn_40b46949', name: 'app', type: 'postgresql', config, ...times }],
  ConnectionInput: [
    { name: 'app', type: 'postgresql', config: { ...config, password: 'correct horse battery staple' } },
    { name: 'cache', type: 'redis', config: { url: 'redis://cache.example.com' } },
  ],
  ConnectionPatch: [{ config: { host: 'db2.example.com' } }],
  Team: [{ id: 'team_0248c01d', name: 'platform', ...times }],
  TeamInput: [{ name: 'platform' }],
  TeamPatch: [{ name: 'platform-2' }],
};
