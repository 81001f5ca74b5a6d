import { beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { apply, listed, organization } from './support/organization.js';

const keysOf = (name: string) =>
  ['first', 'second', 'third'].map((nth) => ({ id: `key_${name}${nth}`, name: nth }));
const service = useService({
  seed: {
    organizations: [
      { id: 'org_one', name: 'One', keys: keysOf('one') },
      { id: 'org_two', name: 'Two', keys: keysOf('two') },
      { id: 'org_three', name: 'Three', keys: keysOf('three') },
    ],
  },
});
beforeEach(() => service.server.control.reset());

async function local(line: string) {
  const { url, controlToken } = service.server;
  const own = { ORGCTL_CONTROL_URL: `${url}/_control`, ORGCTL_CONTROL_TOKEN: controlToken };
  const ended = await runCli(['local', ...line.split(' ')], { env: service.environment(own) });
  expect({ line, code: ended.code, stderr: ended.stderr }).toMatchObject({ line, code: 0 });
  return ended.stdout;
}

/** What the local verbs change, in lines: each key, and each organization's quotas. */
async function state(): Promise<string[]> {
  const { control } = service.server;
  const keys = await control.keys.list();
  return [
    ...keys.map(({ organization, name, enabled }) => `${organization} ${name} ${enabled ? 'on' : 'off'}`),
    ...(await control.organizations.list()).map(({ id, quotas }) => `${id} teams ${quotas['teams']?.limit}`),
  ];
}

/** The lines that are gone, and those that are new. */
async function changesBy(act: () => Promise<unknown>): Promise<{ gone: string[]; made: string[] }> {
  const before = await state();
  await act();
  const after = await state();
  return {
    gone: before.filter((line) => !after.includes(line)),
    made: after.filter((line) => !before.includes(line)),
  };
}

describe('orgctl local', () => {
  it.each([
    ['keys issue --organization org_two --name ci', [], ['org_two ci on']],
    ['keys issue --name ci', [], ['org_one ci on']],
    ['keys disable key_twosecond', ['org_two second on'], ['org_two second off']],
    ['keys revoke key_twosecond --yes', ['org_two second on'], []],
    ['quotas set teams=3 --organization org_two', ['org_two teams 20'], ['org_two teams 3']],
    ['quotas set teams=3', ['org_one teams 20'], ['org_one teams 3']],
  ])('%s changes nothing else', async (line, gone, made) => {
    expect(await changesBy(() => local(line))).toEqual({ gone, made });
  });
});

describe('a verb of a resource', () => {
  const names = ['first', 'second', 'third'];
  const kinds = [
    ['teams', { teams: names.map((name) => ({ name })) }],
    ['connections', { connections: names.map((name) => ({ name, type: 'redis', config: {} })) }],
    ['api-keys', {}],
  ] as const;

  const shown = async (kind: string) =>
    (await listed(kind, service.environment())).map(
      ({ name, enabled }) => `${name}${enabled === false ? ' off' : ''}`,
    );
  const run = async (...args: string[]) => {
    const ended = await runCli(args, { env: service.environment() });
    expect(ended).toMatchObject({ code: 0 });
    return ended.stdout;
  };

  it.each(kinds)(
    '%s get, update and delete act on the one that is named, by name or ID',
    async (kind, file) => {
      const env = service.environment();
      await apply(organization(file), env);
      expect(await shown(kind)).toEqual(names);
      const ids = (await listed(kind, env)).map(({ id }) => String(id));
      expect(JSON.parse(await run(kind, 'get', 'second', '-o', 'json'))).toMatchObject({ id: ids[1] });
      const third = await run(kind, 'get', String(ids[2]), '-o', 'json');
      expect(JSON.parse(third)).toMatchObject({ name: 'third' });
      await run(kind, 'update', 'second', '--name', 'other');
      expect(await shown(kind)).toEqual(['first', 'other', 'third']);
      await run(kind, 'delete', String(ids[1]), '--yes');
      expect(await shown(kind)).toEqual(['first', 'third']);
      await run(kind, 'delete', 'third', '--yes');
      expect(await shown(kind)).toEqual(['first']);
    },
  );

  it('api-keys disable disables no other key', async () => {
    await run('api-keys', 'disable', 'second', '--yes');
    expect(await shown('api-keys')).toEqual(['first', 'second off', 'third']);
  });
});
