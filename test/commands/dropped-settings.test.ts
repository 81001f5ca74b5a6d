import { expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
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
