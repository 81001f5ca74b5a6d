import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openContext } from '../../src/cli/open-context.js';
import { readSeedFile } from '../../src/commands/serve/input-files.js';
import { UsageError } from '../../src/errors/errors.js';
import { tryParseJson } from '../../src/text/exact-json.js';
import { makeAuthority } from '../client/support/certificates.js';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { printedSeed, randomNumbers, rounds } from './support/budget.js';
import { damage } from './support/damage.js';

const copies = () => rounds(500, 40);

// A port on which nothing listens: a request that is sent ends at once.
const nowhere = 'https://127.0.0.1:1';
const credentials = {
  ORGCTL_BASE_URL: nowhere,
  ORGCTL_KEY_ID: 'key_a',
  ORGCTL_SECRET: 's'.repeat(64),
  ORGCTL_RETRIES: '0',
};

/** Damaged copies of one file, and what the tool makes of each: an exit that is allowed. The first is the whole file's. */
async function attack(
  name: string,
  path: string,
  work: (nth: number) => Promise<number>,
  allowed: readonly number[],
  mayWrite = false,
): Promise<void> {
  const random = randomNumbers(printedSeed(name));
  const whole = readFileSync(path);
  expect(await work(0)).toBe(allowed[0]);
  writeFileSync(path, whole);
  const seen = new Map<number, number>();
  for (let nth = 0; nth < copies(); nth++) {
    const damaged = damage(whole, random);
    writeFileSync(path, damaged);
    const code = await work(nth);
    seen.set(code, (seen.get(code) ?? 0) + 1);
    const now = readFileSync(path);
    if (!allowed.includes(code))
      throw new Error(`${name}: exit ${code} at copy ${nth}: ${damaged.toString('base64')}`);
    if (!mayWrite || code !== 0) expect([nth, isSame(now, damaged)]).toEqual([nth, true]);
  }
  console.log(`${name}: ${Array.from(seen, ([code, count]) => `${count} × exit ${code}`).join(', ')}`);
}

/** A creation checks that the profiles can be written, by writing the same content. */
function isSame(now: Buffer, damaged: Buffer): boolean {
  const [written, read] = [now, damaged].map((bytes) => tryParseJson(bytes.toString()));
  return now.equals(damaged) || (read !== undefined && isDeepStrictEqual(written, read));
}

const profile = { baseUrl: nowhere, keyId: 'key_a', secret: 'a'.repeat(64), retries: 0 };
const profiles = {
  version: 1,
  current: 'prod',
  profiles: {
    prod: { ...profile, timeout: '30s', auth: 'hmac', retiring: 'key_old' },
    rotating: {
      ...profile,
      pending: {
        ...{ keyId: 'key_b', secret: 'b'.repeat(64), createdAt: '2026-03-01T12:00:00.000Z' },
        baseUrl: nowhere,
      },
    },
    command: { baseUrl: nowhere, keyId: 'key_c', secretCommand: ['printf', 'x'] },
  },
};

function profileFile(): { readonly env: Record<string, string>; readonly path: string } {
  const env = emptyEnvironment();
  const directory = String(env['ORGCTL_CONFIG_DIR']);
  mkdirSync(directory, { mode: 0o700 });
  const path = join(directory, 'profiles.json');
  writeFileSync(path, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 });
  return { env, path };
}

describe('damaged profiles', () => {
  it.each([
    ['list', ['profile', 'list'], [0, 3]],
    ['whoami', ['whoami', '-p', 'command'], [0, 2, 3]],
    ['quotas', ['quotas'], [9, 2, 3]],
    ['rotate', ['api-keys', 'rotate', '-p', 'rotating', '--yes'], [9, 2, 3]],
  ])('are an error or are read, and never written: %s', async (name, args, allowed) => {
    const { env, path } = profileFile();
    const work = async () => (await runCli(args, { env })).code;
    await attack(`profiles, ${name}`, path, work, allowed);
  });

  it('are written to by what changes them only where they can be read', async () => {
    const { env, path } = profileFile();
    const commands = [
      ['profile', 'use', 'rotating'],
      ['profile', 'rename', 'prod', 'other'],
      [
        ...['profile', 'add', 'new', '--base-url', nowhere, '--key-id', 'key_n'],
        ...['--secret-env', 'S', '--no-verify'],
      ],
    ];
    const work = async (nth: number) => {
      const args = commands[nth % commands.length] ?? [];
      return (await runCli(args, { env: { ...env, S: 's'.repeat(64) } })).code;
    };
    await attack('profiles, changed', path, work, [0, 2, 3], true);
    expect(readdirSync(join(path, '..'))).toEqual(['profiles.json']);
  });
});

it('damaged CA files are an error, or trusted as far as they go', async () => {
  const path = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(path, `${(await makeAuthority('One')).cert}\n${(await makeAuthority('Two')).cert}\n`);
  const env = { ...emptyEnvironment(), ...credentials, ORGCTL_CA_FILE: path };
  await attack('CA file', path, async () => (await runCli(['quotas'], { env })).code, [9, 3]);
});

const entries = Array.from({ length: 5 }, (_, nth) => ({
  name: `app-${nth}`,
  type: 'postgresql',
  config: { user: 'u', password: 'p', host: 'h', port: 5432, database: 'd', ssl: true },
}));
const yaml = entries.map(
  ({ name, type }) =>
    `- name: ${name}\n  type: ${type}\n  config: { user: &u u, password: p, host: *u, port: 5432, database: d, ssl: true }\n`,
);

it.each([
  ['JSON', 'entries.json', JSON.stringify(entries, undefined, 2)],
  ['YAML', 'entries.yaml', yaml.join('')],
  ['JSONL', 'entries.jsonl', entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')],
])('damaged --file input is an error or is read: %s', async (name, file, content) => {
  const path = join(temporaryDirectory(), file);
  writeFileSync(path, content);
  const args = ['connections', 'create', '--dry-run', '-o', 'json', '--file', path];
  await attack(`--file, ${name}`, path, async () => (await runCli(args)).code, [0, 2]);
});

it('damaged seeds are an error or are read', async () => {
  const path = join(temporaryDirectory(), 'seed.yaml');
  const connections = yaml.join('').replace(/^/gm, '      ');
  writeFileSync(path, `organizations:\n  - name: one\n    connections:\n${connections}`);
  const context = openContext(memorySystem(), () => ({}));
  onTestFinished(() => context.close());
  const read = () =>
    readSeedFile(path, context).then(
      () => 0,
      (error: unknown) => (error instanceof UsageError ? 2 : 1),
    );
  await attack('seed', path, read, [0, 2]);
});

it('damaged certificates and keys of serve are an error, or are used', async () => {
  const directory = temporaryDirectory();
  const { cert, key } = await (await makeAuthority('One')).issue(['127.0.0.1']);
  const [certPath, keyPath] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(certPath, cert);
  writeFileSync(keyPath, key);
  const args = ['serve', '--ephemeral', '--port', '0', '--tls-cert', certPath, '--tls-key', keyPath];
  const work = async () => (await runCli([...args, '--', 'true'])).code;
  await attack('--tls-cert', certPath, work, [0, 2, 3]);
  writeFileSync(certPath, cert);
  await attack('--tls-key', keyPath, work, [0, 2, 3]);
});
