import { expect, it } from 'vitest';
import { httpAnswer } from '../../support/hostile-peer.js';
import { organization } from '../../support/organization.js';
import { runCli } from '../../support/run-cli.js';
import { pageAnswer, scriptedService } from '../support/scripted-service.js';

const settings = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };
const file = organization({
  connections: [
    { name: 'a', type: 'pg', config: { ...settings, password: { env: 'APP_DB_PASSWORD' } } },
    { name: 'b', type: 'pg', config: settings },
  ],
});

it.each([
  ['the single record neither', { type: 'pg' }],
  ['no type either', {}],
  ['none', { type: 'pg', config: {} }],
])('settings that the service never returns are planned only if they are sent: %s', async (_, shown) => {
  const rows = ['a', 'b'].map((name) => ({ id: `conn_${name}`, name, ...shown }));
  const patches = rows.map((row) => [`PATCH /connections/${row.id}`, () => httpAnswer(200, row)] as const);
  const { env, peer } = await scriptedService({
    'GET /connections': () => pageAnswer(rows, { total: 2, page: 1, pages: 1 }),
    ...Object.fromEntries(patches),
  });
  const run = (args: string, stdin: string) =>
    runCli(args.split(' '), { env: { ...env, APP_DB_PASSWORD: 'hunter2' }, stdin });
  const sent = () => peer.requests.filter(({ method }) => method === 'PATCH');
  for (const command of ['diff - --exit-code', 'apply - --yes']) {
    const stderr = expect.stringMatching(
      /does not show [^\n]*config\.user[^\n]* of connection "a" \(conn_a\)/,
    );
    expect(await run(command, file)).toMatchObject({ code: 10, stdout: '', stderr });
  }
  expect(sent()).toEqual([]);
  expect((await run('apply - --yes --set-secrets', file)).code).toBe(0);
  expect(JSON.parse(`${sent()[0]?.body}`)).toMatchObject({ config: { ...settings, password: 'hunter2' } });
});
