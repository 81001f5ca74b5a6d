import { expect, it } from 'vitest';
import { useOwnProject } from './support/own-project.js';

const own = useOwnProject({});

// Node.js prints the line that threw, however long it is, and then the error.
it.each([
  ['client', "createClient({ baseUrl: 'x', keyId: 'k', secret: 's' })", /UsageError: .*base URL/],
  [
    'client',
    "createClient({ baseUrl: 'http://127.0.0.1:1', keyId: 'k', secret: 's', retries: 0 }).quotas.read()",
    /NetworkError: .*refused/,
  ],
  ['server', "startServer({ data: '/dev/null' })", /ConfigError: .*\/dev\/null/],
  [
    'signing',
    "verifyRequest({ method: 'GET', target: '/', headers: { 'x-api-key': 'k' }, body: {} }, () => undefined)",
    /UsageError: .*not raw/,
  ],
  ['signing', "signedHeaders({ keyId: 'key_a', secret: 's' }, {})", /UsageError: .*`method` is not a string/],
])('an error of orgctl/%s that nobody catches can be read: %s', async (library, call, said) => {
  own.write({ 'thrower.js': `import * as library from 'orgctl/${library}';\nawait library.${call};\n` });
  const { code, stderr } = await own.node(['thrower.js']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(said) });
  expect(stderr.length).toBeLessThan(3000);
  const [place = '', line = ''] = stderr.split('\n');
  expect(place).toMatch(/^file:\S+:\d+$/);
  expect(line.length).toBeLessThan(200);
});
