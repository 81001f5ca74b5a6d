import { expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { organization, rowsOf } from './support/organization.js';
import { pageAnswer, scriptedService } from './support/scripted-service.js';

const config = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };

type Kept = (sent: object) => object | undefined;

/** A service with two connections whose PATCH answers with this of the settings; GET by ID has this status. */
function patching(answered: Kept, read: Kept = answered, readable = 200) {
  const stored = new Map(['conn_a', 'conn_b'].map((id) => [id, { id, name: id, type: 'pg', config }]));
  const states = new Map<string, object>(stored);
  const calls = [...stored].flatMap(([id, one]) => {
    return [
      [`GET /connections/${id}`, () => httpAnswer(readable, states.get(id))],
      [
        `PATCH /connections/${id}`,
        ({ body }: { readonly body: Buffer }) => {
          const { config: sent, ...others } = JSON.parse(body.toString('utf8'));
          states.set(id, { ...one, ...others, config: read(sent) });
          return httpAnswer(200, { ...one, ...others, config: answered(sent) });
        },
      ],
    ] as const;
  });
  const list = () => pageAnswer([...states.values()], { total: 2, page: 1, pages: 1 });
  return scriptedService({ 'GET /connections': list, ...Object.fromEntries(calls) });
}

const replacing = () => patching((sent) => sent);
const file = organization({
  connections: ['conn_a', 'conn_b'].map((name) => ({ name, type: 'pg', config: { ...config, host: 'db2' } })),
});

it.each([['conn_a'], ['conn_a', 'conn_b']])(
  'settings that a change has dropped are named, and no further one is changed: %j %j',
  async (...ids) => {
    const { env, peer } = await replacing();
    const ended = await runCli(['connections', 'update', ...ids, '--host', 'db2'], { env });
    expect(ended.code).toBe(ids.length === 1 ? 10 : 12);
    const dropped = 'dropped config.port, config.database, config.user, config.ssl';
    expect(ended.stdout + ended.stderr).toContain(
      `connection conn_a was changed, but the service ${dropped}`,
    );
    expect(peer.requests.filter(({ method }) => method === 'PATCH').length).toBe(1);
  },
);

it.each<[string, object | undefined]>([
  ['empty', {}],
  ['gone', undefined],
])('settings that a new name alone has dropped are named, too: config is %s', async (_what, left) => {
  const run = async (args: string[], stdin = '') => {
    const { env } = await patching(() => left);
    return runCli(args, { env, stdin });
  };
  const dropped = 'dropped config.host, config.port';
  const updated = await run(['connections', 'update', 'conn_a', '--name', 'conn_b2']);
  expect(updated).toMatchObject({ code: 10, stderr: expect.stringContaining(dropped) });
  const renamed = { name: 'conn_b2', renamed_from: 'conn_a' };
  const applied = await run(['apply', '-', '--yes', '-o', 'json'], organization({ connections: [renamed] }));
  expect(applied.code).toBe(12);
  expect(rowsOf(applied)).toMatchObject([{ result: 'failed', error: expect.stringContaining(dropped) }]);
});

it('is so for apply', async () => {
  const { env, peer } = await replacing();
  const ended = await runCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
  expect(ended.code).toBe(12);
  expect(rowsOf(ended)).toMatchObject([
    { name: 'conn_a', result: 'failed', error: expect.stringContaining('dropped config.port') },
    { name: 'conn_b', result: 'failed', error: expect.stringContaining('not sent') },
  ]);
  expect(peer.requests.filter(({ method }) => method === 'PATCH').length).toBe(1);
});

it('a response that shows only what was sent is followed by a look', async () => {
  const { env } = await patching(
    (sent) => sent,
    (sent) => ({ ...config, ...sent }),
  );
  expect((await runCli(['connections', 'update', 'conn_a', 'conn_b', '--host', 'db2'], { env })).code).toBe(
    0,
  );
  expect((await runCli(['apply', '-', '--yes'], { env, stdin: file })).code).toBe(0);
});
