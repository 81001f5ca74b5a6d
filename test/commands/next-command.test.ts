import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readExplanation } from '../../src/cli/help-text.js';
import { aimAtProfile } from '../../src/cli/target/target-options.js';
import { toNext } from '../../src/errors/advice.js';
import { allCommands } from '../support/command-tree.js';
import { hostilePeer } from '../support/hostile-peer.js';
import {
  emptyEnvironment,
  errorOf,
  runCli,
  temporaryDirectory,
  withProfileFile,
} from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ http: false, quotas: { teams: 0 } });

/** A profile elsewhere is the current one; `other` is for the service. */
function environment(changes: Record<string, unknown> = {}): Record<string, string> {
  const { url: baseUrl, keyId, secret, caFile } = service.server;
  const elsewhere = { baseUrl: 'http://127.0.0.1:1', keyId: 'key_elsewhere', secret: 's'.repeat(64) };
  const other = { baseUrl, keyId, secret, caFile, ...changes };
  return withProfileFile({ version: 1, current: 'elsewhere', profiles: { elsewhere, other } });
}

const organizationFile = join(temporaryDirectory(), 'org.yaml');
writeFileSync(organizationFile, 'version: 1\n');

const wrongSecret = { secret: 'x'.repeat(64) };
const src = join(import.meta.dirname, '..', '..', 'src');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);

describe('the next command of an error', () => {
  it.each<[line: string, next: string | undefined, changes?: Record<string, unknown>]>([
    ['teams create --name a', 'orgctl quotas -p other'],
    ['teams create ops', 'orgctl teams create --name ops -p other'],
    ['teams get nosuch', 'orgctl teams list --all -p other'],
    ['team', 'orgctl teams list -p other'],
    ['quotas --fail-over 0 --kind teams', 'orgctl teams list --all -p other'],
    ['quotas', 'orgctl whoami -p other', wrongSecret],
    ['quotas', 'orgctl whoami -p other', { keyId: 'key_unknown' }],
    ['quotas --retries 0', 'orgctl whoami -p other', { baseUrl: 'http://127.0.0.1:1' }],
    ['doctor', 'orgctl doctor --try-basic -p other', wrongSecret],
    ['api-keys rotate', 'orgctl whoami -p other', { secret: undefined, secretCommand: 'echo x' }],
    ['connections update conn_1', 'orgctl connections update --help'],
    ['connections', 'orgctl connections --help'],
    ['connections list --no-such', 'orgctl connections list --help'],
    ['version', 'orgctl --version'],
    ['serve --stop', 'orgctl local stop'],
    ['serve --status', 'orgctl local status'],
    ['local start', 'orgctl serve'],
    // Where nothing can be typed as it is: the hint has an example or a placeholder.
    ['quotas --profile nobody', undefined],
    ['teams create', undefined],
    ['api-keys create', undefined],
    ['connections create --name x --host real.example', undefined],
    ['api-keys enable', undefined],
    ['teams describe', undefined],
    ['apply FILE --plan FILE --yes', undefined],
  ])('after %s is %s', async (line, next, changes) => {
    const env = environment(changes);
    const typed = line.replaceAll('FILE', organizationFile);
    const words = [...typed.split(' '), ...(line.includes('--profile') ? [] : ['-p', 'other'])];
    const { stderr } = await runCli([...words, '-o', 'json'], { env });
    const last = stderr.trim().split('\n').at(-1);
    const { hint, ...error } = errorOf({ stderr: String(last), stdout: '', code: 0 });
    expect(error['next']).toEqual(next?.split(' '));
    if (next !== undefined) expect(hint).toContain(next);
  });

  it('repeats every option that chooses the service, quoted, and none that only looks so', async () => {
    const options = ['--base-url', 'http://127.0.0.1:1/a', '--key-id', 'key_a', '--auth', 'basic'];
    const trust = ['--ca-file', "my ca's.pem"];
    const args = [...options, ...trust, '--allow-host', '--timeout', '1s', '-o', 'json'];
    expect(errorOf(await runCli(['teams', 'bogus', ...args]))['hint']).not.toContain('--base-url');
    const { next, hint } = errorOf(await runCli(['team', ...args]));
    expect(next).toEqual(['orgctl', 'teams', 'list', ...options, ...trust, '--allow-host']);
    expect(hint).toContain(`--ca-file 'my ca'\\''s.pem'`);
  });

  it('repeats no secret that was put where an address or an ID belongs', async () => {
    const secret = 'f'.repeat(64);
    const { stderr } = await runCli(['team', '--base-url', `https://me:${secret}@host`, '--key-id', secret]);
    expect(stderr).not.toContain(secret);
    expect(stderr).toContain('orgctl teams list --base-url URL --key-id KEY_ID');
    const env = service.environment({ ORGCTL_KEY_ID: secret, ORGCTL_SECRET: service.server.keyId });
    for (const line of ['quotas', 'teams list', 'doctor', 'teams create --name a']) {
      const ended = await runCli([...line.split(' '), '-o', 'json'], { env });
      for (const text of ended.stderr.trim().split('\n')) {
        const { error } = JSON.parse(text);
        if (error !== undefined) expect(JSON.stringify(error.next ?? [])).not.toContain(secret);
      }
    }
  });

  it('is about the same organization after a lost answer, and for more room', async () => {
    const peer = await hostilePeer((_request, socket) => socket.destroy());
    const lost = environment({ baseUrl: peer.origin, caFile: undefined });
    const args = ['teams', 'create', '--name', 'lost', '-p', 'other'];
    const hint = 'orgctl teams list --all -p other\n';
    expect(await runCli(args, { env: lost })).toMatchObject({
      code: 11,
      stderr: expect.stringContaining(hint),
    });
    // A name that no shell reads as a file.
    const room = 'hint: make room: orgctl teams delete NAME -p other\n';
    const many = { env: environment(), stdin: '[{"name":"a"}]' };
    const full = await runCli(['teams', 'create', '--file', '-', '-p', 'other'], many);
    expect(full).toMatchObject({ code: 7, stderr: expect.stringContaining(room) });
  });

  it('is about the service of a profile that was not stored', async () => {
    const place = ['--base-url', service.server.url, '--key-id', 'key_a'];
    const args = ['profile', 'add', 'new', ...place, '--secret-stdin'];
    const { code, stderr } = await runCli(args, { env: environment(), stdin: 's'.repeat(64) });
    expect([code, stderr]).toEqual([9, expect.stringContaining(`orgctl doctor ${place.join(' ')}`)]);
  });
});

describe('a hint where variables choose the service', () => {
  const unset = ['teams', 'get', 'nosuch', '-o', 'json'];

  it('names the profile, which only this command may have', async () => {
    const env = { ...environment(), ORGCTL_PROFILE: 'other' };
    const list = ['orgctl', 'teams', 'list', '--all'];
    expect(errorOf(await runCli(unset, { env }))['next']).toEqual([...list, '-p', 'other']);
    const typed = { ...env, ORGCTL_BASE_URL: 'http://127.0.0.1:1', ORGCTL_PROFILE: 'elsewhere' };
    const named = await runCli([...unset, '-p', 'other'], { env: typed });
    expect(errorOf(named)['next']).toEqual([...list, '-p', 'other']);
  });

  it('names address and key, which work only with their secret', async () => {
    const env = { ...environment(), ...service.environment() };
    const { next } = errorOf(await runCli(unset, { env }));
    const { url, keyId, caFile } = service.server;
    const target = ['--base-url', url, '--key-id', keyId, '--ca-file', caFile ?? ''];
    expect(next).toEqual(['orgctl', 'teams', 'list', '--all', ...target]);
    const pasted = [...unset.slice(0, 1), 'list', ...target];
    expect(await runCli(pasted, { env: environment() })).toMatchObject({ code: 3, stdout: '' });
    expect(await runCli(pasted, { env })).toMatchObject({ code: 0 });
  });

  it('names no variable for whoami, which shows them', async () => {
    const wrong = { ...service.environment(), ORGCTL_SECRET: 'x'.repeat(64) };
    expect(errorOf(await runCli(unset, { env: wrong }))['next']).toEqual(['orgctl', 'whoami']);
    const env = { ...environment(wrongSecret), ORGCTL_PROFILE: 'other' };
    expect(errorOf(await runCli(unset, { env }))['next']).toEqual(['orgctl', 'whoami', '-p', 'other']);
  });

  it('has no example of a name for the key that is to replace the one in use', async () => {
    const args = ['api-keys', 'disable', service.server.keyId, '--yes', '-o', 'json'];
    const { hint, next } = errorOf(await runCli(args, { env: service.environment() }));
    expect([hint, next]).toEqual([expect.stringContaining('create --name replacement'), undefined]);
  });

  it('names no server on this machine for one that variables choose', async () => {
    const env = { ...environment(), ORGCTL_CONTROL_URL: 'http://127.0.0.1:1', ORGCTL_CONTROL_TOKEN: 'x' };
    const { hint, next } = errorOf(await runCli(['api-keys', 'enable', 'key_1', '-o', 'json'], { env }));
    expect([hint, next]).toEqual([expect.stringContaining('enable key_1 --data DIR'), undefined]);
  });

  it('names no server for the one that runs this command, unless the command is for another service', async () => {
    const { url, controlToken } = service.server;
    const control = { ORGCTL_CONTROL_URL: `${url}/_control`, ORGCTL_CONTROL_TOKEN: controlToken };
    const env = { ...service.environment(control), ...environment() };
    const nextOf = async (line: string) =>
      errorOf(await runCli([...line.split(' '), '-o', 'json'], { env }))['next'];
    const enable = ['orgctl', 'local', 'keys', 'enable', 'key_1'];
    expect(await nextOf('api-keys enable key_1')).toEqual(enable);
    expect(await nextOf('local keys enable key_1')).toEqual(['orgctl', 'local', 'keys', 'list']);
    expect(await nextOf('api-keys enable key_1 -p other')).toBeUndefined();
  });
});

describe('a hint about the server that maintains the profile', () => {
  const managed = { managedBy: 'serve', data: '/srv/my data' };
  const place = "--data '/srv/my data'";
  const run = (line: string, changes: object = {}, stdin = '') =>
    runCli([...line.split(' '), '-p', 'other'], { env: environment({ ...managed, ...changes }), stdin });

  it('names its data directory, also for a disabled key, a clock and a plan', async () => {
    const { control } = service.server;
    const enable = await run('api-keys enable key_1');
    expect(enable.stderr).toContain(`orgctl local keys enable key_1 ${place}\n`);
    await control.clock.advance(600_000);
    const doctor = await run('doctor');
    await control.clock.advance(-600_000);
    expect(doctor.stderr).toContain(`orgctl local clock reset ${place};`);
    const { id, secret } = await control.keys.issue({ name: 'ci' });
    await control.keys.disable(id);
    const refused = await run('teams list', { keyId: id, secret });
    const command = `orgctl local keys enable ${id} ${place}\n`;
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(command) });
    const keys = 'version: 1\napi-keys:\n- { name: ci, enabled: true, secret_to: { file: x } }\n';
    expect((await run('diff -', {}, keys)).stdout).toContain(command);
  });

  it('starts that server, and updates that profile', async () => {
    const { stderr } = await run('quotas --retries 0', { baseUrl: 'http://127.0.0.1:1' });
    expect(stderr).toContain(`orgctl serve ${place} --save-profile other starts a service`);
  });

  it('names no server by chance with another address, and what was typed with local', async () => {
    const elsewhere = await run('api-keys enable key_1 --base-url http://127.0.0.1:1');
    expect(elsewhere.stderr).toContain('orgctl local keys enable key_1 --data DIR');
    const { stderr } = await run('local status --data /no-where');
    expect(stderr).toContain('orgctl serve --data /no-where;');
  });
});

it('the next command of a command without arguments has only words that were typed, or that a command has', async () => {
  const commands = await allCommands();
  const own = new Set([
    'orgctl',
    '--help',
    ...commands.flatMap(({ words }) => words),
    ...commands.flatMap(({ command }) => command.options.flatMap(({ long, short }) => [long, short])),
  ]);
  const typed = ['--base-url', 'http://127.0.0.1:1', '--key-id', 'key_a', '--auth', 'basic'];
  const running = new Set(['serve', 'proxy', 'local wait']);
  const invented = commands
    .filter(({ isLeaf, words }) => isLeaf && words.length > 0 && !running.has(words.join(' ')))
    .map(async ({ line, words }) => {
      const args = [...words, ...typed, '--retries', '0', '-o', 'json'];
      const { stderr } = await runCli(args, { env: { ...emptyEnvironment(), ORGCTL_SECRET: 's' } });
      const next = stderr
        .split('\n')
        .flatMap((text) => (text.startsWith('{"error"') ? (JSON.parse(text).error.next ?? []) : []));
      return next.filter((word) => !own.has(word) && !typed.includes(word)).map((word) => `${line}: ${word}`);
    });
  expect((await Promise.all(invented)).flat()).toEqual([]);
});

describe('commands for users', () => {
  it('get the options that they take, and no others', async () => {
    const add = aimAtProfile('other', { baseUrl: '', keyId: '', managedBy: 'serve', data: '/my data' });
    const commands = (await allCommands()).filter(({ isLeaf, words }) => isLeaf && words.length > 0);
    const calling = commands.filter(({ command }) => readExplanation(command).facts?.calls === 'service');
    const settings = new Set(['exec', 'sign', 'whoami', ...calling.map(({ words: [top] }) => top)]);
    settings.delete('profile');
    for (const { words, command, line } of commands) {
      const [top = ''] = words;
      const added = add(['orgctl', ...words, '--', 'x']).slice(words.length + 1, -2);
      const takesData =
        ['local', 'serve'].includes(top) && command.options.some(({ long }) => long === '--data');
      const saves = words.join(' ') === 'serve' ? ['--save-profile', 'other'] : [];
      const expected = takesData ? ['--data', '/my data', ...saves] : [];
      const usesService = settings.has(top);
      expect([line, added]).toEqual([line, usesService ? ['-p', 'other'] : expected]);
    }
  });

  it('keep the target that they name', () => {
    const add = aimAtProfile('other', { baseUrl: '', keyId: '', managedBy: 'serve', data: '/d' });
    for (const line of [
      'orgctl quotas -p mine',
      'orgctl local status --data x',
      'orgctl teams --help',
      'chmod 600 x',
    ])
      expect(add(line.split(' ')).join(' ')).toBe(line);
  });
});

it('the sources advise only commands that there are', async () => {
  const commands = await allCommands();
  const advised = sources
    .flatMap((path) => [...readFileSync(join(src, path), 'utf8').matchAll(/\[\s*'orgctl',\s*('[^\]]*)\]/g)])
    .map(([, rest = '']) => [...rest.matchAll(/'([a-z-]+)'/g)].map(([, word = '']) => word));
  expect(advised.length).toBeGreaterThan(15);
  const known = (words: string[]) =>
    commands.some(({ words: path, isLeaf }) => isLeaf && path.every((word, at) => words[at] === word));
  expect(advised.filter((words) => !words.includes('--version') && !known(words))).toEqual([]);
});

it('the sources write only known placeholders into commands, so that these are no next command', () => {
  const texts = sources.map((path) => readFileSync(join(src, path), 'utf8'));
  const inCommands = texts.flatMap(
    (text) => text.match(/\[\s*'orgctl',[^\]]*\]|option\(settings\.\w+, '\w+'/g) ?? [],
  );
  const written = inCommands.flatMap((text) => text.match(/(?<=')[A-Z_]+(?=')/g) ?? []);
  expect(written).toEqual(expect.arrayContaining(['KEY_ID', 'MODE']));
  expect(written.filter((word) => !METHODS.includes(word) && toNext([word]) !== undefined)).toEqual([]);
});
