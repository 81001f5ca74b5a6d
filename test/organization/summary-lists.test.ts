import { describe, expect, it } from 'vitest';
import { organization } from '../commands/support/organization.js';
import { pageAnswer, scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';

const settings = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };
const file = organization({
  connections: [
    { name: 'a', type: 'pg', config: { ...settings, password: { env: 'APP_DB_PASSWORD' } } },
    { name: 'b', type: 'pg', config: settings },
  ],
});

/** Lists connections as summaries, and shows these fields of a single one, which PATCH merges or replaces. */
async function summarizing(
  shown: { type?: string; config?: object; host?: string } | undefined,
  listed: object = {},
  merges = true,
) {
  const rows = ['a', 'b'].map((name) => ({ id: `conn_${name}`, name, ...listed }));
  const single = rows.flatMap(({ id, name }) => {
    let { config } = shown ?? {};
    const read = () => ({ id, name, ...shown, ...(config && { config }) });
    const patch = ({ body }: { readonly body: Buffer }) => {
      const sent = JSON.parse(`${body}`).config;
      config &&= merges ? { ...config, ...sent } : sent;
      return httpAnswer(200, read());
    };
    return [
      [`GET /connections/${id}`, () => httpAnswer(shown === undefined ? 404 : 200, read())],
      [`PATCH /connections/${id}`, patch],
    ] as const;
  });
  const { env, peer } = await scriptedService({
    'GET /connections': () => pageAnswer(rows, { total: 2, page: 1, pages: 1 }),
    ...Object.fromEntries(single),
  });
  const run = (args: string, stdin?: string) =>
    runCli(args.split(' '), { env: { ...env, APP_DB_PASSWORD: 'hunter2' }, ...(stdin && { stdin }) });
  return { run, patches: () => peer.requests.filter(({ method }) => method === 'PATCH') };
}

describe('a list of connections that does not show their settings', () => {
  it.each([
    ['the single record neither', { type: 'pg' }],
    ['no type either', {}],
    ['no single records', undefined],
    ['none', { type: 'pg', config: {} }],
  ])('that the service never returns: nothing is planned unless they are sent: %s', async (_, shown) => {
    const { run, patches } = await summarizing(shown);
    for (const command of ['diff - --exit-code', 'diff -', 'apply - --yes']) {
      const ended = await run(command, file);
      expect(ended).toMatchObject({ code: 10, stdout: '' });
      expect(ended.stderr).toMatch(
        /does not show (config\.\w+, )*config\.user(, config\.ssl)? of connection "a" \(conn_a\)/,
      );
      expect(ended.stderr).not.toContain('nothing to change');
    }
    expect(patches()).toEqual([]);
    const secret = { name: 'a', type: 'pg', config: { password: { env: 'APP_DB_PASSWORD' } } };
    const rest = await run('diff -', organization({ connections: [secret] }));
    const stdout = expect.stringContaining('config.password: not compared');
    expect(rest).toMatchObject({ code: 0, stdout });
    expect((await run('export --kind connections')).stderr).toContain(
      'the file lacks connection settings that the service does not return',
    );
    expect((await run('apply - --yes --set-secrets', file)).code).toBe(0);
    expect(JSON.parse(`${patches()[0]?.body}`)).toMatchObject({
      config: { ...settings, password: 'hunter2' },
    });
  });

  it('does not hide settings that a change by name drops', async () => {
    const { run } = await summarizing({ type: 'pg', config: settings }, {}, false);
    const ended = await run('connections update a b --host db2');
    expect(ended).toMatchObject({ code: 12, stdout: expect.stringContaining('dropped config.port') });
  });
});
