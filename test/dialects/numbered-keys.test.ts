import { describe, expect, it } from 'vitest';
import { organization, planOf } from '../commands/support/organization.js';
import { type ForeignForms, foreignService } from '../support/foreign-service.js';
import { runCli, withProfileFile } from '../support/run-cli.js';

interface Key {
  readonly id: number;
  readonly key_id?: string;
  readonly name: string;
  readonly enabled: boolean;
}

const secret = 'Q'.repeat(64);
const own: Key = { id: 5, key_id: 'key_test', name: 'own', enabled: true };
const other: Key = { id: 6, key_id: 'key_other', name: 'other', enabled: true };

/** A service whose paths know a key by its number, whatever it signs with. */
async function numbered(first: readonly Key[], changes: Partial<ForeignForms> = {}) {
  const keys = new Map(first.map((key) => [String(key.id), key]));
  const refused = { status: 404, body: { detail: 'no such key' } };
  const service = await foreignService({
    list: () => ({ body: { data: [...keys.values()], total: keys.size } }),
    get: (id) => (keys.has(id) ? { body: keys.get(id) } : refused),
    create: () => {
      keys.set('7', { id: 7, key_id: 'key_new', name: 'new', enabled: true });
      return { status: 201, body: { ...keys.get('7'), secret } };
    },
    change(method, id) {
      const key = keys.get(id);
      if (key === undefined) return refused;
      if (method === 'DELETE') keys.delete(id);
      else keys.set(id, { ...key, enabled: false });
      return method === 'DELETE' ? { status: 204 } : { body: keys.get(id) };
    },
    quotas: { body: { teams: { limit: 1, used: 0 } } },
    ...changes,
  });
  const profile = { baseUrl: service.origin, keyId: 'key_test', secret };
  const profiles = withProfileFile({ version: 1, current: 'main', profiles: { main: profile } });
  return { ...service, keys, profiles };
}

const withoutIds = ({ key_id: _, ...key }: Key): Key => key;

describe('a service whose paths know keys by numbers', () => {
  it.each(['-o wide', '--columns id,key_id'])('shows which key is whose: %s', async (options) => {
    const { profiles: env } = await numbered([own, other]);
    const { code, stdout } = await runCli(['api-keys', 'list', ...options.split(' ')], { env });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/KEY[ _]ID/) });
    for (const { id, key_id = '' } of [own, other])
      expect(stdout).toMatch(new RegExp(`^${id} .*\\b${key_id}$`, 'm'));
  });

  it('warns of a key that it neither finds nor lists, also with --quiet: the console may have created it', async () => {
    const { profiles: env } = await numbered([
      other,
      { id: 4, key_id: 'key_new', name: 'new', enabled: true },
    ]);
    const ended = await runCli(['api-keys', 'rotate', '--yes', '--quiet', '-o', 'json'], { env });
    const stderr = expect.stringMatching(/old key key_test .* does not list it, so it counts as deleted/);
    expect(ended).toMatchObject({ code: 0, stderr });
  });

  it.each<[string, Partial<ForeignForms>, readonly Key[]]>([
    ['no list shows which key it is', {}, [withoutIds(own), withoutIds(other)]],
    ['the list shows another ID for paths', {}, [own, other]],
    ['the list is refused', { list: () => ({ status: 404, body: {} }) }, [own]],
    ['no key can be deleted', { change: () => ({ status: 404, body: {} }) }, [own]],
  ])('fails, and creates no further key when it is run again, where %s', async (_, changes, first) => {
    const { keys, profiles: env } = await numbered(first, changes);
    for (let run = 1; run <= 2; run += 1) {
      const ended = await runCli(['api-keys', 'rotate', '--yes'], { env });
      expect(ended).toMatchObject({ code: 10, stdout: '' });
      expect(ended.stderr).toContain('key_test, may still be valid');
    }
    expect(keys.has('5')).toBe(true);
    expect(keys.size).toBe(first.length + 1);
    const left = await runCli(['api-keys', 'rotate', '--keep-old', '-o', 'json'], { env });
    expect(JSON.parse(left.stdout)).toMatchObject({ keyId: 'key_new', oldKeyDeleted: false });
  });

  it.each(['5', 'own'])('guards the key that signs, called %s', async (typed) => {
    const { keys, env } = await numbered([own, other]);
    for (const verb of ['delete', 'disable']) {
      const stderr = expect.stringContaining('key_test is the key you are using');
      expect(await runCli(['api-keys', verb, typed, '--yes'], { env })).toMatchObject({ code: 2, stderr });
    }
    expect(keys.get('5')).toEqual(own);
    expect((await runCli(['api-keys', 'delete', typed, '--yes', '--even-mine'], { env })).code).toBe(0);
    expect([...keys.keys()]).toEqual(['6']);
  });

  it('guards every key where nothing shows which one signs', async () => {
    const { keys, env } = await numbered([withoutIds(own), withoutIds(other)]);
    const ended = await runCli(['api-keys', 'delete', '6', '--yes'], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('6 may be key_test') });
    expect(keys.size).toBe(2);
  });

  it('prunes no key that signs', async () => {
    const file = organization({ 'api-keys': [] });
    const { env } = await numbered([own, other]);
    const { plan } = await planOf(file, env, '--prune');
    expect(plan.changes).toMatchObject([{ action: 'delete', name: 'other' }]);
    const unknown = await numbered([withoutIds(own), withoutIds(other)]);
    const { ended } = await planOf(file, unknown.env, '--prune');
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('which key is key_test') });
  });
});
