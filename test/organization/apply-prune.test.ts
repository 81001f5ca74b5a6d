import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, entry, listed, organization, teams } from '../commands/support/organization.js';
import { quotaAnswer, type ScriptedService, scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { relayedService, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

describe('--prune', () => {
  const some = (count: number) => organization({ teams: teams(count) });

  it('is done for what somebody else deletes meanwhile', async () => {
    const { direct, env } = await relayedService({
      before: async (call) => {
        const [verb, path = ''] = call.split(' ');
        if (verb === 'DELETE') await runCli(['request', 'DELETE', path], { env: direct });
        return undefined;
      },
    });
    await apply(some(4), direct);
    const { ended, rows } = await apply(some(3), env, '--prune');
    expect(ended.code).toBe(0);
    expect(rows).toMatchObject([{ name: 'team-3', result: 'deleted' }]);
  });

  it.each(['teams', 'connections'])(
    'is not done where no call deletes or shows one of the %s',
    async (kind) => {
      const listed = [{ id: 'a_1', name: 'old' }];
      const { env } = await scriptedService({ [`GET /${kind}`]: () => httpAnswer(200, listed) });
      const { ended, rows } = await apply(organization({ [kind]: [] }), env, '--prune=all');
      const error = expect.stringContaining(`returned 404, although the service shows`);
      expect([ended.code, rows]).toMatchObject([12, [{ name: 'old', result: 'failed', error }]]);
    },
  );

  it('is the only way to delete, and of kinds that the file names alone', async () => {
    const env = environment();
    await apply(organization({ teams: teams(4), connections: [entry('app')] }), env);
    expect((await apply(some(3), env)).rows).toEqual([]);
    const { rows } = await apply(some(3), env, '--prune');
    expect(rows).toMatchObject([{ kind: 'teams', name: 'team-3', result: 'deleted' }]);
    expect(await listed('connections', env)).toHaveLength(1);
  });

  it.each([
    [4, 2, 'more than 30 %'],
    [40, 29, 'more than 10'],
  ])('of %i that leaves %i is not done by --yes alone: %s', async (before, after) => {
    const env = environment();
    await apply(some(before), env);
    const { ended } = await apply(some(after), env, '--prune');
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--prune=all') });
    expect(await listed('teams', env)).toHaveLength(before);
    const args = ['apply', fileOf(some(after), 'org.yaml'), '--yes', '--prune'];
    const asked = await runCli(args, { env, isTTY: true, stdin: 'n\r' });
    expect(asked.code).toBe(130);
    expect(asked.stderr).toContain(
      `Delete ${before - after} of ${before} teams on ${env['ORGCTL_BASE_URL']}? [y/N]`,
    );
    const closed = await runCli(['apply', fileOf(some(after), 'org.yaml'), '--prune'], { env });
    expect(closed).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes and --prune=all') });
    expect(await listed('teams', env)).toHaveLength(before);
    expect((await apply(some(after), env, '--prune=all')).ended.code).toBe(0);
    expect(await listed('teams', env)).toHaveLength(after);
  });

  it('never deletes the key that signs', async () => {
    const env = environment();
    await runCli(['api-keys', 'create', '--name', 'old'], { env });
    const { rows, ended } = await apply(organization({ 'api-keys': [] }), env, '--prune=all');
    expect(ended.code).toBe(0);
    expect(rows).toMatchObject([{ name: 'old', result: 'deleted' }]);
    expect(await listed('api-keys', env)).toMatchObject([{ id: service.server.keyId }]);
    const shown = await runCli(['diff', '-', '--prune'], { env, stdin: organization({ 'api-keys': [] }) });
    expect(shown.stdout).toContain('the key you are using: not changed');
    const other = JSON.parse(
      (await runCli(['api-keys', 'create', '--name', 'b', '-o', 'json'], { env })).stdout,
    );
    const [signing] = await listed('api-keys', env);
    const entries = [{ name: signing?.['name'], id: other.id }];
    const renamed = await apply(organization({ 'api-keys': entries }), env, '--prune=all');
    const taken = `${service.server.keyId} already has this name`;
    expect(renamed.ended).toMatchObject({ code: 2, stderr: expect.stringContaining(taken) });
  });

  it('names the stored profiles that use a key it deletes', async () => {
    const env = environment();
    await runCli(['api-keys', 'create', '--name', 'ci', '--save-profile', 'ci'], { env });
    const file = organization({ 'api-keys': [] });
    const note = expect.stringContaining('profiles that will stop working: ci');
    const shown = await runCli(['diff', '-', '--prune'], { env, stdin: file });
    expect(shown).toMatchObject({ code: 0, stderr: note });
    const applied = await runCli(['apply', '-', '--prune=all', '--yes'], { env, stdin: file });
    expect(applied).toMatchObject({ code: 0, stderr: note });
  });

  it('deletes and disables no key where the service does not show which one signs', async () => {
    const disabling = organization({ 'api-keys': [{ name: 'key_other', enabled: false }] });
    const none = organization({ 'api-keys': [] });
    const withKeys = (...ids: readonly string[]) =>
      scriptedService({
        'GET /api-keys': () =>
          httpAnswer(
            200,
            ids.map((id) => ({ id, name: id, enabled: true })),
          ),
        'GET /quotas': () => quotaAnswer(10),
        'DELETE /api-keys/key_other': () => 'HTTP/1.1 204 No Content\r\n\r\n',
      });
    const deletions = ({ peer }: ScriptedService) =>
      peer.requests.filter(({ method }) => method === 'DELETE').length;
    const unknown = await withKeys('key_other');
    const refused = (await apply(none, unknown.env, '--prune=all')).ended;
    const stderr = expect.stringContaining('no key is pruned');
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr });
    expect(deletions(unknown)).toBe(0);
    const kept = (await apply(disabling, unknown.env)).ended;
    expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining('no key is disabled') });
    expect(unknown.peer.requests.every(({ method }) => method === 'GET')).toBe(true);
    const known = await withKeys('key_other', 'key_test');
    expect((await apply(none, known.env, '--prune=all')).ended.code).toBe(0);
    expect(deletions(known)).toBe(1);
  });

  it('creates first where the quota has room, and makes room first where it has not', async () => {
    const env = environment();
    await service.server.control.quotas.set({ teams: 3 });
    await apply(some(2), env);
    const other = (name: string) => organization({ teams: [{ name }, { name: 'team-1' }] });
    const resultsOf = async (name: string) =>
      (await apply(other(name), env, '--prune=all')).rows.map(({ result }) => result);
    expect(await resultsOf('new')).toEqual(['created', 'deleted']);
    await service.server.control.quotas.set({ teams: 2 });
    expect(await resultsOf('newer')).toEqual(['deleted', 'created']);
    const { ended } = await apply(organization({ teams: teams(3) }), env, '--prune=all');
    expect(ended.code).toBe(7);
  });

  it('deletes before the creations no more than they need, and shows which', async () => {
    const env = environment();
    await service.server.control.quotas.set({ teams: 5 });
    await apply(some(5), env);
    await service.server.control.faults.set(['POST /teams=422']);
    const file = organization({ teams: [{ name: 'new-1' }, { name: 'new-2' }] });
    const shown = await runCli(['diff', '-', '--prune', '--columns', 'sign,name,said', '-o', 'csv'], {
      env,
      stdin: file,
    });
    const first = 'deleted first, to make room in the quota';
    expect(shown.stdout.match(/^-.*/gm)).toEqual([
      `-,team-0,"${first}"`,
      `-,team-1,"${first}"`,
      ...[2, 3, 4].map((at) => `-,team-${at},`),
    ]);
    const { ended, rows } = await apply(file, env, '--prune=all');
    expect(ended.code).toBe(12);
    expect(rows.map(({ name, result }) => `${name} ${result}`)).toEqual([
      ...['team-0 deleted', 'team-1 deleted', 'new-1 failed', 'new-2 failed'],
      ...['team-2 not tried', 'team-3 not tried', 'team-4 not tried'],
    ]);
    await service.server.control.faults.set([]);
    expect((await apply(file, env, '--prune=all')).ended.code).toBe(0);
    expect((await listed('teams', env)).map(({ name }) => name).toSorted()).toEqual(['new-1', 'new-2']);
  });

  it('reads every page of a kind before it says that there is nothing to do', async () => {
    const env = environment();
    await apply(some(101), env);
    expect((await apply(some(101), env)).rows).toEqual([]);
    const { rows } = await apply(some(100), env, '--prune');
    expect(rows).toMatchObject([{ name: 'team-100', result: 'deleted' }]);
  });

  it('leaves what would go when something before it failed', async () => {
    const env = environment();
    await apply(some(1), env);
    await service.server.control.faults.set(['POST /teams=409']);
    const { ended, rows } = await apply(organization({ teams: [{ name: 'new' }] }), env, '--prune=all');
    expect(ended.code).toBe(12);
    const failed = { name: 'new', result: 'failed', code: 'rejected' };
    expect(rows).toMatchObject([failed, { name: 'team-0', result: 'not tried' }]);
  });

  it.each([
    ['some', /"some" is not a kind\n.*--prune=all/],
    ['connections', /the file has no connections/],
  ])('takes only kinds, and only of those that the file has: %s', async (value, stderr) => {
    const options = { env: environment(), stdin: organization({ teams: [] }) };
    const ended = await runCli(['diff', '-', `--prune=${value}`], options);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
  });

  it('deletes only of the kinds that it names', async () => {
    const env = environment();
    const connections = [{ name: 'cache', type: 'redis', config: {} }];
    await apply(organization({ teams: teams(2), connections }), env);
    const none = organization({ teams: [], connections: [] });
    const plan = join(temporaryDirectory(), 'plan.json');
    const options = { env, stdin: none };
    const diff = await runCli(['diff', '-', '--prune=teams', '--out', plan, '-o', 'json'], options);
    expect(JSON.parse(diff.stdout)).toMatchObject({
      changes: [{ kind: 'teams' }, { kind: 'teams' }],
      notInFile: { connections: 1, teams: 0, 'api-keys': 'all' },
    });
    const both = join(temporaryDirectory(), 'plan.json');
    await runCli(['diff', '-', '--prune=teams,connections', '--out', both], options);
    const others = await runCli(['apply', '-', '--plan', both, '--prune=teams,api-keys'], options);
    expect(others).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--prune differs from the plan'),
    });
    const asked = await apply(none, env, '--prune=teams');
    expect(asked.ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--prune=teams,all') });
    expect((await runCli(['apply', '-', '--plan', plan, '--prune', '--quiet'], options)).code).toBe(2);
    const { rows } = await apply(none, env, '--prune=teams,all');
    expect(rows).toMatchObject([1, 2].map(() => ({ kind: 'teams', result: 'deleted' })));
  });

  it.each([
    [['--prune', 'FILE']],
    [['--prune', 'FILE', '--color', 'never']],
    [['--color', 'never', '--prune', 'FILE']],
    [['FILE', '--prune']],
    [['--prune', 'all', 'FILE']],
    [['FILE', '--prune', 'all']],
    [['--prune', 'teams', 'FILE']],
  ])('does not take the file for its value: %j', async (words) => {
    const env = environment();
    await apply(some(1), env);
    const path = fileOf(some(0), 'org.yaml');
    const ended = await runCli(['diff', ...words.map((word) => (word === 'FILE' ? path : word))], { env });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/^1 to delete; 0 unchanged/) });
  });
});
