const failureNames: Readonly<Record<string, string>> = {
  request: 'bad request',
  credentials: 'no credential, or two',
  format: 'bad credential',
  key: 'unknown key',
  timestamp: 'bad timestamp',
  signature: 'bad signature',
  secret: 'wrong secret',
  enabled: 'key disabled',
  'rate-limit': 'rate limit',
  route: 'not found',
  query: 'bad query',
  body: 'bad body',
  quota: 'quota full',
  server: 'server error',
};

export function nameFailure(check: string): string {
  return failureNames[check] ?? check;
}
