import { expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';
import { pageAnswer, scriptedService } from './support/scripted-service.js';

const config = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };

/** A service with two connections whose PATCH answers with this of the settings. */
function patching(answered: (sent: object) => object, read: (sent: object) => object = answered) {
  const stored = new Map(['conn_a', 'conn_b'].map((id) => [id, { id, name: id, type: 'pg', config }]));
  const calls = [...stored].flatMap(([id, one]) => {
    let now: object = one;
    return [
      [`GET /connections/${id}`, () => httpAnswer(200, now)],
      [
        `PATCH /connections/${id}`,
        ({ body }: { readonly body: Buffer }) => {
          const sent = JSON.parse(body.toString('utf8')).config;
          now = { ...one, config: read(sent) };
          return httpAnswer(200, { ...one, config: answered(sent) });
        },
      ],
    ] as const;
  });
  const list = () => pageAnswer([...stored.values()], { total: 2, page: 1, pages: 1 });
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
