import { expect, it } from 'vitest';
import { apply, entry, listed, organization, planOf, rowsOf, teams } from '../../support/organization.js';
import { runCli, startCli } from '../../support/run-cli.js';
import { marked, other, relayedService, useOrganizationService } from '../support/organization-service.js';
import { pageAnswer, scriptedService } from '../support/scripted-service.js';

const { environment } = useOrganizationService();

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);

it('export gives names and settings back as they were, whatever they look like', async () => {
  const env = environment();
  const texts = ['null', '~', '1e3', '- a', '# x', 'a: b', "'", '. .', 'é\u2028', 'constructor', '__proto__'];
  const settings = { env: 'x', list: ['~', 1.5, null, { file: '' }], text: 'a\n b\n', on: false };
  const file = organization({
    connections: texts.map((name) => other({ ...settings, text: name }, name)),
    teams: texts.map((name) => ({ name })),
  });
  expect((await apply(file, env)).ended.code).toBe(0);
  const { stdout } = await runCli(['export'], { env });
  for (const same of [file, stdout]) expect((await planOf(same, env, '--prune')).plan.changes).toEqual([]);
});

it('no output has a secret, whatever is done and fails', async () => {
  const env = environment();
  const file = organization({
    connections: [
      entry('app', { options: 'sslkey=topsecret' }),
      other({ uri: marked({ env: 'APP_DB_PASSWORD' }), token: 'topsecret' }),
    ],
  });
  const runs = [
    await runCli(['diff', '-', '-v'], { env, stdin: file }),
    (await planOf(file, env)).ended,
    (await apply(file, env, '-v')).ended,
    (await apply(file, env, '-v', '--set-secrets')).ended,
    await runCli(['diff', '-', '--set-secrets', '-o', 'csv'], { env, stdin: file }),
    await runCli(['export', '-o', 'json'], { env }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  for (const { stdout, stderr } of runs) {
    expect(stdout + stderr).not.toContain('hunter2');
    expect(stderr).not.toContain('topsecret');
  }
  // What apply created is shown as the service returns it.
  for (const plan of [runs[0], runs[1], runs[4]]) expect(plan?.stdout).not.toContain('topsecret');
});

it('Ctrl-C leaves a row for everything: done, not known, not tried', async () => {
  let posts = 0;
  let stop = () => false;
  const after = (call: string) => {
    if (call !== 'POST /teams' || ++posts !== 12) return undefined;
    stop();
    return 'drop' as const;
  };
  const { env } = await relayedService({ after }, { quotas: { teams: 100 } });
  const file = organization({ teams: teams(60) });
  const { system, ended } = startCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
  stop = () => system.raise('SIGINT');
  const end = await ended;
  expect(end.code).toBe(130);
  const rows = rowsOf(end);
  expect(rows).toHaveLength(60);
  const results = new Set(rows.map(({ result }) => result));
  expect(results).toEqual(new Set(['created', 'outcome unknown', 'not tried']));
  expect((await apply(file, env)).ended.code).toBe(0);
  expect(names(await listed('teams', env)).sort()).toEqual(names(teams(60)).sort());
});

it('escapes hidden characters in a file, which keeps its values', async () => {
  const name = 'a\u202Eb \u{1F468}\u200D\u{1F469}';
  const { env } = await scriptedService({
    'GET /teams': () => pageAnswer([{ id: 'team_1', name }], { total: 1, page: 1, pages: 1 }),
  });
  const { stdout } = await runCli(['export', '--kind', 'teams'], { env });
  expect(stdout).not.toContain('\u202E');
  expect(stdout).toContain('\\u202e');
  expect((await runCli(['diff', '-', '--exit-code'], { env, stdin: stdout })).code).toBe(0);
});
