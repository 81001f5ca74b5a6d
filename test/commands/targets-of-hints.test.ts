import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGlobalFlags } from '../../src/cli/global-options.js';
import { readExplanation } from '../../src/cli/help-text.js';
import { aimAtProfile } from '../../src/cli/target/target-options.js';
import { allCommands } from '../support/command-tree.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ quotas: { teams: 0 } });

/** A profile elsewhere is the current one; `other` is for the service. */
function environment(changes: Record<string, unknown> = {}): Record<string, string> {
  const { url: baseUrl, keyId, secret, caFile } = service.server;
  const elsewhere = { baseUrl: 'http://127.0.0.1:1', keyId: 'key_elsewhere', secret: 's'.repeat(64) };
  const other = { baseUrl, keyId, secret, caFile, ...changes };
  return withProfileFile({ version: 1, current: 'elsewhere', profiles: { elsewhere, other } });
}

const wrongSecret = { secret: 'x'.repeat(64) };
const unreachable = { baseUrl: 'http://127.0.0.1:1' };

describe('the next command of an error', () => {
  const own = () => service.server.keyId;
  it.each<[line: string, changes: Record<string, unknown>]>([
    ['teams create --name a', {}],
    ['teams create', {}],
    ['teams create ops', {}],
    ['teams get nosuch', {}],
    ['teams bogus', {}],
    ['get teams', {}],
    ['team', {}],
    ['api-keys create', {}],
    ['api-keys delete OWN --yes', {}],
    ['api-keys disable OWN --yes', {}],
    ['quotas --fail-over 0 --kind teams', {}],
    ['quotas --fail-over 0 --kind api-keys', {}],
    ['quotas', wrongSecret],
    ['quotas', { keyId: 'key_unknown' }],
    ['quotas --retries 0', unreachable],
    ['export', wrongSecret],
    ['probe', wrongSecret],
    ['doctor', wrongSecret],
    ['doctor --try-basic', wrongSecret],
    ['doctor', unreachable],
    ['request GET /quotas', wrongSecret],
    ['api-keys rotate', { secret: undefined, secretCommand: 'echo x' }],
  ])('names the profile of %s', async (line, changes) => {
    const env = environment(changes);
    const words = line.replace('OWN', own()).split(' ');
    const { stderr } = await runCli([...words, '-p', 'other', '-o', 'json'], { env });
    const found = { stderr: `${stderr.trim().split('\n').at(-1)}\n`, stdout: '', code: 0 };
    const { hint, next } = errorOf(found);
    if (!Array.isArray(next)) throw new Error(`no next in ${stderr}`);
    if (next.includes('--help')) return;
    expect(readGlobalFlags(next.slice(1)).profile).toBe('other');
    expect(hint).toContain(next.join(' '));
  });

  it('repeats every option that chooses the service, quoted, and none that only looks so', async () => {
    const options = ['--base-url', 'http://127.0.0.1:1/a', '--key-id', 'key_a', '--auth', 'basic'];
    const trust = ['--ca-file', "my ca's.pem"];
    const args = ['teams', 'bogus', ...options, ...trust, '--allow-host', '--timeout', '1s', '-o', 'json'];
    const { next, hint } = errorOf(await runCli(args));
    expect(next).toEqual(['orgctl', 'teams', '--help']);
    expect(hint).not.toContain('--base-url');
    const { next: shown, hint: text } = errorOf(await runCli(['team', ...args.slice(2)]));
    expect(shown).toEqual(['orgctl', 'teams', 'list', ...options, ...trust, '--allow-host']);
    expect(text).toContain(`--ca-file 'my ca'\\''s.pem'`);
  });

  it('repeats no secret that was put where an address or an ID belongs', async () => {
    const secret = 'f'.repeat(64);
    const args = ['team', '--base-url', `https://me:${secret}@host`, '--key-id', secret];
    const { stderr } = await runCli(args);
    expect(stderr).not.toContain(secret);
    expect(stderr).toContain('orgctl teams list --base-url URL --key-id KEY_ID');
  });

  it('looks in the same organization after a lost answer', async () => {
    const peer = await hostilePeer((_request, socket) => socket.destroy());
    const env = environment({ baseUrl: peer.origin, caFile: undefined });
    const args = ['teams', 'create', '--name', 'lost', '-p', 'other'];
    const { code, stderr } = await runCli(args, { env });
    expect(code).toBe(11);
    expect(stderr).toContain('orgctl teams list --all -p other\n');
  });

  it('makes room in the same organization, by a name that no shell reads as a file', async () => {
    const args = ['teams', 'create', '--file', '-', '-p', 'other'];
    const { code, stderr } = await runCli(args, { env: environment(), stdin: '[{"name":"a"}]' });
    expect(code).toBe(7);
    expect(stderr).toContain('or make room: orgctl teams delete NAME -p other\n');
  });

  it('is about the service of a profile that was not stored', async () => {
    const args = [
      'profile',
      'add',
      'new',
      '--base-url',
      service.server.url,
      '--key-id',
      'key_a',
      '--secret-stdin',
    ];
    const { code, stderr } = await runCli(args, { env: environment(), stdin: 's'.repeat(64) });
    expect(code).toBe(9);
    expect(stderr).toContain(`orgctl doctor --base-url ${service.server.url} --key-id key_a`);
  });

  it('is in each row of quotas --all-profiles for its own profile', async () => {
    const { stdout } = await runCli(['quotas', '--all-profiles', '-o', 'json', '--retries', '0'], {
      env: environment(),
    });
    expect(JSON.parse(stdout).elsewhere.error.next).toEqual(['orgctl', 'whoami', '-p', 'elsewhere']);
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

  it('names no server on this machine for one that variables choose', async () => {
    const env = { ...environment(), ORGCTL_CONTROL_URL: 'http://127.0.0.1:1', ORGCTL_CONTROL_TOKEN: 'x' };
    const { next } = errorOf(await runCli(['api-keys', 'enable', 'key_1', '-o', 'json'], { env }));
    expect(next).toEqual(['orgctl', 'local', 'keys', 'enable', 'key_1', '--data', 'DIR']);
  });
});

describe('a hint about the server that maintains the profile', () => {
  const data = '/srv/my data';
  const managed = { managedBy: 'serve', data };
  const place = "--data '/srv/my data'";
  const run = (line: string, changes: Record<string, unknown> = managed) =>
    runCli([...line.split(' '), '-p', 'other'], { env: environment(changes) });

  it('names its data directory, also for a disabled key, a clock and a plan', async () => {
    const { control } = service.server;
    const enable = await run('api-keys enable key_1');
    expect(enable.stderr).toContain(`orgctl local keys enable key_1 ${place}\n`);
    await control.clock.advance(600_000);
    const doctor = await run('doctor');
    await control.clock.advance(-600_000);
    expect(doctor.stderr).toContain(`orgctl local clock reset ${place};`);
    const { id, name } = await control.keys.issue({ name: 'ci' });
    await control.keys.disable(id);
    const stdin = `version: 1\napi-keys:\n- { name: ${name}, enabled: true, secret_to: { file: x } }\n`;
    const env = environment(managed);
    const diff = await runCli(['diff', '-', '-p', 'other'], { env, stdin });
    expect(diff.stdout).toContain(`orgctl local keys enable ${id} ${place}\n`);
  });

  it('names it for a key that is refused', async () => {
    const { control } = service.server;
    const { id, secret } = await control.keys.issue({ name: 'off' });
    await control.keys.disable(id);
    const { code, stderr } = await run('teams list', { ...managed, keyId: id, secret });
    expect([code, stderr.includes(`orgctl local keys enable ${id} ${place}\n`)]).toEqual([5, true]);
  });

  it('names no server by chance with another address, and what was typed with local', async () => {
    const env = environment(managed);
    const elsewhere = ['--base-url', 'http://127.0.0.1:1'];
    const args = ['api-keys', 'enable', 'key_1', '-p', 'other', ...elsewhere];
    expect((await runCli(args, { env })).stderr).toContain('orgctl local keys enable key_1 --data DIR');
    const { stderr } = await runCli(['local', 'status', '--data', '/no where', '-p', 'other'], { env });
    expect(stderr).toContain("orgctl serve --data '/no where';");
  });
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
      const expected = takesData ? ['--data', '/my data'] : [];
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

describe('the sources', () => {
  it('have no command for users in a text, where it would lack the options of the target', () => {
    expect(findHandWritten().filter((text) => !texts.some((known) => text.includes(known)))).toEqual([]);
  });
});

/** Texts with commands that name their target, or that are only named; and hints about `orgctl diff`. */
const texts: readonly string[] = [
  'orgctl export writes such a file',
  'orgctl quotas --profile ',
  'orgctl api-keys rotate -p $',
  'orgctl local finds a server',
  'orgctl serve --detach --data DIR',
  'orgctl serve, without --detach',
  'orgctl exec -p NAME -- COMMAND',
];

const aimed =
  /(?:[:;(] |\(|with |then |hint: [`'])orgctl (?:(?:api-keys|apply|connections|diff|doctor|exec|export|local|probe|proxy|quotas|request|serve|sign|teams|whoami)\b|\$\{)/;

function findHandWritten(): readonly string[] {
  const src = join(import.meta.dirname, '..', '..', 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^(?:console|server|api-description)\//.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(src, path), 'utf8').split('\n');
      // Examples of the help stand in arrays, and descriptions begin with a verb.
      const own = lines.filter((line) => aimed.test(line) && !/^\s*(?:\[|['`][A-Z]|\*|\/)/.test(line));
      return own.map((line) => `${path}: ${line.trim()}`);
    });
}
