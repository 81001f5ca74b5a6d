import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../../src/server/index.js';
import { runCli, temporaryDirectory, withProfileFile } from '../../support/run-cli.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

function environment(): Record<string, string> {
  const { url: baseUrl, keyId, secret, caFile } = server;
  return withProfileFile({
    version: 1,
    current: 'own',
    profiles: { own: { baseUrl, keyId, secret, caFile } },
  });
}

const connection =
  '[{"name":"b","type":"pg","config":{"host":"h","port":1,"database":"d","user":"u","password":"p","ssl":true}}]';

const done = 'the request was carried out; only its output was lost';

/** By a pattern of the hint; `ID` stands for the ID of what was created or changed. */
it.each<[line: string, hint: string, rest?: { readonly stdin?: string }]>([
  ['api-keys create --name a', done],
  ['api-keys create --name b --secret-file b.secret', done],
  ['api-keys create --name c --save-profile c', done],
  ['teams create --name a', done],
  ['teams create --file -', '--skip-existing to create only the missing ones', { stdin: '[{"name":"b"}]' }],
  ['teams delete a --yes', done],
  [
    'connections create --file -',
    '1 connection: 1 created; run it again with --skip-existing',
    { stdin: connection },
  ],
  [
    'apply - --yes',
    '1 change: 1 created; see the rows above, then run',
    { stdin: 'version: 1\nteams:\n- name: applied\n' },
  ],
  ['api-keys rotate --yes', done],
])('where stdout is full, stderr says what was done: %s', async (line, hint, rest = {}) => {
  const words = line.split(' ');
  const options = { env: environment(), cwd: temporaryDirectory(), stdoutFault: 'ENOSPC', ...rest };
  const { code, stdout, stderr } = await runCli(words, options);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('error: cannot write to standard output: ENOSPC');
  expect(stderr).toMatch(new RegExp(`\nhint: .*${hint.replaceAll('ID', '(?:key|team)_\\w+')}`));
  expect(stderr).not.toMatch(/[\w-]{64}/);
  expect(stderr).not.toContain(server.secret);
});
