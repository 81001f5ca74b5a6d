import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileStore } from '../../src/profiles/file/store.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { type Passage, relayTo } from './support/relay.js';

const service = useService({ http: true, quotas: { 'api-keys': 1000 } });

type Env = Readonly<Record<string, string | undefined>>;

async function relayed(passage: Passage) {
  const peer = await relayTo(service.server, passage);
  return { peer, env: service.environment({ ORGCTL_BASE_URL: peer.origin }) };
}

async function keysNamed(name: string): Promise<{ id: string }[]> {
  const env = service.environment();
  const { stdout } = await runCli(['api-keys', 'list', '--all', '-o', 'json'], { env });
  const keys: { id: string; name: string }[] = JSON.parse(stdout);
  return keys.filter((key) => key.name === name);
}

function storeOf(env: Env) {
  return profileStore({ env, platform: process.platform, homedir: '/' });
}

/** A creation whose first answer is lost, with the key that nobody has the secret of, and what repeats the command. */
async function lostCreation(flag: string, name: string) {
  let dropped = 0;
  const after = (call: string) => (call === 'POST /api-keys' && dropped++ === 0 ? 'drop' : undefined);
  const { peer, env } = await relayed({ after });
  const place = flag === '--save-profile' ? 'mine' : join(temporaryDirectory(), 'secret');
  await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
  const [before] = await keysNamed(name);
  const args = ['api-keys', 'create', '--name', name, flag, place, '-o', 'json'];
  const first = await runCli(args, { env });
  expect(first.code).toBe(11);
  expect(errorOf(first)['hint']).toContain('same command');
  const [orphan] = (await keysNamed(name)).filter(({ id }) => id !== before?.id);
  const idsNow = async () => (await keysNamed(name)).map(({ id }) => id).sort();
  return { peer, env, place, args, before: String(before?.id), orphan: String(orphan?.id), idsNow };
}

const flags = ['--save-profile', '--secret-file'];

describe('a creation whose answer never came', () => {
  const onTerminal = { isTTY: { stdin: true, stderr: true } };

  it.each(flags)('%s: the next run asks on a terminal, and deletes that key', async (flag) => {
    const { env, args, before, orphan, idsNow } = await lostCreation(flag, `lost ${flag}`);
    const second = await runCli(args, { env, ...onTerminal, stdin: 'y\r' });
    expect(second.code).toBe(0);
    expect(second.stderr).toContain(`Delete ${orphan} ("lost ${flag}", never used)`);
    expect(await idsNow()).toEqual([before, JSON.parse(second.stdout).id].sort());
  });

  it.each([
    ['--save-profile', { ...onTerminal, stdin: 'n\r' }],
    ['--save-profile', {}],
    ['--secret-file', {}],
  ])(
    '%s: a key stays where the answer is no or nobody is asked, and another is created: %j',
    async (flag, typed) => {
      const { peer, env, args, before, orphan, idsNow, place } = await lostCreation(flag, randomUUID());
      const second = await runCli(args, { env, ...typed });
      expect(second.code).toBe(0);
      expect(await idsNow()).toEqual([before, orphan, JSON.parse(second.stdout).id].sort());
      expect(peer.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
      expect(existsSync(`${place}.pending`)).toBe(false);
      if (!('stdin' in typed)) expect(second.stderr).toContain(`orgctl api-keys delete ${orphan}`);
    },
  );
});

/** A record beside a secret file, of a process that is gone. @returns the secret file's path */
function writePending(record: object): string {
  const place = join(temporaryDirectory(), 'secret');
  writeFileSync(`${place}.pending`, `${JSON.stringify({ ...record, pid: 2 ** 30 })}\n`, { mode: 0o600 });
  return place;
}

describe('a record that another service, key or person left deletes nothing and gives nothing', () => {
  /** What is in the record's place when a key of the name is created by `env`, and all that follows. */
  async function createOver(flag: string, { env, place, name }: { env: Env; place: string; name: string }) {
    const args = ['api-keys', 'create', '--name', name, flag, place, '-o', 'json'];
    await service.server.control.journal.clear();
    const ended = await runCli(args, { env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(await service.server.control.journal.count({ method: 'DELETE' })).toBe(0);
    const { id }: { id: string } = JSON.parse(ended.stdout);
    const secret =
      flag === '--save-profile' ? (await storeOf(env).get(place)).secret : readFileSync(place, 'utf8');
    const own = service.environment({ ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret });
    expect((await runCli(['quotas'], { env: own })).code).toBe(0);
    return ended;
  }

  describe.each(flags)('%s', (flag) => {
    it('of another address', async () => {
      const name = `elsewhere ${flag}`;
      const { env, place } = await lostCreation(flag, name);
      // Younger than the record, and never used.
      await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
      const production = { ...env, ORGCTL_BASE_URL: service.server.url };
      const { stderr } = await createOver(flag, { env: production, place, name });
      expect(stderr).toContain(
        `not for ${service.server.url}; it is ignored, and no key is deleted because of it`,
      );
      expect(await keysNamed(name)).toHaveLength(4);
    });

    it('of a key that was rotated meanwhile', async () => {
      const name = `rotated ${flag}`;
      const { env, place, orphan } = await lostCreation(flag, name);
      const made = await runCli(['api-keys', 'create', '--name', 'ci', '-o', 'json'], {
        env: service.environment(),
      });
      const { id, secret } = JSON.parse(made.stdout);
      const rotated = { ...env, ORGCTL_KEY_ID: id, ORGCTL_SECRET: secret };
      const { stderr } = await createOver(flag, { env: rotated, place, name });
      expect(stderr).toContain(`not for ${id}`);
      expect(stderr).toContain('orgctl api-keys list --all');
      expect((await keysNamed(name)).map((key) => key.id)).toContain(orphan);
    });

    it('of the first version, or made up', async () => {
      const name = `planted ${flag}`;
      await runCli(['api-keys', 'create', '--name', name], { env: service.environment() });
      const env = service.environment();
      const [since, until] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'];
      const creation = { id: 'abcd', since, name, until, before: [] };
      const place = flag === '--save-profile' ? 'mine' : writePending({ creation });
      if (flag === '--save-profile') await storeOf(env).beginCreation(place, creation);
      const { stderr } = await createOver(flag, { env, place, name });
      expect(stderr).toContain('was written by an older orgctl');
      expect(await keysNamed(name)).toHaveLength(2);
    });
  });

  it('a secret that somebody put beside the file is not stored for ours', async () => {
    const creation = { id: 'abcd', since: '2026-01-01T00:00:00.000Z', name: 'foreign' };
    const created = { id: 'key_evil', name: 'foreign', secret: 'e'.repeat(64) };
    const { ORGCTL_BASE_URL: baseUrl = '', ORGCTL_KEY_ID: keyId = '' } = service.environment();
    const place = writePending({ creation, created, version: 2, baseUrl, keyId, mac: '0'.repeat(64) });
    const ended = await createOver('--secret-file', { env: service.environment(), place, name: 'foreign' });
    expect(ended.stderr).toContain('was not written here');
    expect(ended.stderr).toMatch(/secret\.pending was moved to \S+secret\.pending\.[0-9a-f]{8}/);
    expect(readFileSync(place, 'utf8')).not.toBe(created.secret);
  });
});
