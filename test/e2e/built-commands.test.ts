import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiDocument } from '../../src/api/openapi.js';
import { type ServerOptions, startServer } from '../../src/server/index.js';
import { makeAuthority } from '../client/support/certificates.js';
import { connectProxy } from '../client/support/connect-proxy.js';
import { orgctl, root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';
import { runBuiltTool, runBundle } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';

// Nearly all other tests run the sources. What is shipped is a bundle of them with parts of packages left out, so one way
// through every command is run as it is shipped.

const seed = {
  organizations: [
    {
      name: 'acme',
      keys: [{ id: 'key_first' }, { id: 'key_ci', name: 'ci' }],
      connections: [{ id: 'conn_app', name: 'app', type: 'mysql', config: { host: 'db' } }],
      teams: [{ id: 'team_ops', name: 'ops' }],
    },
  ],
};
const service = useService({ http: false, console: true, seed });

/** A configuration with the profile `here`, of a key of its own. */
async function withProfile(): Promise<Record<string, string | undefined>> {
  const { url, caFile, control } = service.server;
  const env = emptyEnvironment();
  const { id: keyId, secret } = await control.keys.issue();
  const file = { version: 1, current: 'here', profiles: { here: { baseUrl: url, keyId, secret, caFile } } };
  const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'profiles.json'), JSON.stringify(file), { mode: 0o600 });
  return env;
}

/** `orgctl local` is led to the service by the environment, and what is about profiles has nothing but one. */
function environmentFor(line: string) {
  const { url, controlToken } = service.server;
  if (/^(profile|exec|api-keys rotate)/.test(line)) return withProfile();
  const control = { ORGCTL_CONTROL_URL: `${url}/_control`, ORGCTL_CONTROL_TOKEN: controlToken };
  return service.environment(line.startsWith('local') ? control : {});
}

/** Runs a command line and expects that it succeeds; `␣` stands for a blank within a word. */
async function works(line: string, input = '') {
  const words = line.split(' ').map((word) => word.replaceAll('␣', ' '));
  const ended = await runBundle(words, { input, env: await environmentFor(line) });
  expect({ line, ...ended }).toMatchObject({ line, code: 0 });
  return ended;
}

/** The directory of a server that stopped. */
async function keptData(): Promise<string> {
  const data = temporaryDirectory();
  await (await startServer({ data, http: true })).close();
  return data;
}

/** A command line that works, and what it prints to stdout or stderr. */
type Way = readonly [line: string, printed: string | RegExp, input?: string] | (() => Promise<void>);

const serving = `-q -- ${orgctl.join(' ')} quotas`;
const ways: Record<string, Way> = {
  quotas: ['quotas --auth basic', /^KIND .*\napi-keys +20 /m],
  'connections list': ['connections list', 'app'],
  'connections get': ['connections get conn_app', 'app'],
  'connections create': [
    'connections create --name app --host db --database d --user u --password-stdin',
    'conn_',
    'pw\n',
  ],
  'connections update': ['connections update conn_app --name new', 'new'],
  'connections delete': ['connections delete conn_app --yes', 'deleted'],
  'api-keys list': ['api-keys list', 'key_ci'],
  'api-keys get': ['api-keys get key_ci', 'ci'],
  'api-keys create': ['api-keys create --name cd', 'key_'],
  'api-keys update': ['api-keys update key_ci --name cd', 'cd'],
  'api-keys disable': ['api-keys disable key_ci --yes -o json', '"enabled": false'],
  'api-keys delete': ['api-keys delete key_ci --yes', 'deleted'],
  'api-keys rotate': ['api-keys rotate', 'here'],
  'teams list': ['teams list', 'ops'],
  'teams get': ['teams get team_ops', 'ops'],
  'teams create': ['teams create --name new', 'team_'],
  'teams update': ['teams update team_ops --name new', 'new'],
  'teams delete': ['teams delete team_ops --yes', 'deleted'],
  export: ['export', '- name: ops'],
  diff: ['diff -', '+ other', 'version: 1\nteams: [{ name: other }]\n'],
  apply: ['apply - --yes', 'created', 'version: 1\nteams: [{ name: applied }]\n'],
  request: ['request GET /quotas', '"limit"'],
  sign: ['sign GET /quotas', 'X-API-Signature'],
  proxy: [`proxy ${serving}`, 'connections'],
  'profile add': async () => {
    const { url, keyId, secret, caFile = '' } = service.server;
    const env = emptyEnvironment();
    const line = `profile add here --base-url ${url} --key-id ${keyId} --ca-file ${caFile} --secret-stdin`;
    expect(await runBundle(line.split(' '), { env, input: `${secret}\n` })).toMatchObject({ code: 0 });
    expect((await runBundle(['quotas'], { env })).stdout).toContain('api-keys');
  },
  'profile list': ['profile list', 'here'],
  'profile show': ['profile show here', 'http'],
  'profile use': ['profile use here', ''],
  'profile rename': ['profile rename here there', ''],
  'profile remove': ['profile remove here --yes', ''],
  'profile set': ['profile set here --auth basic', 'basic'],
  'profile path': ['profile path', 'profiles.json'],
  'profile env': ['profile env here', "ORGCTL_BASE_URL='http"],
  exec: [`exec -p here -- ${process.execPath} -e console.log(process.env.ORGCTL_BASE_URL)`, 'http'],
  openapi: async () => {
    const published = readFileSync(join(root, 'dist', 'openapi.json'), 'utf8');
    expect((await works('openapi')).stdout).toBe(published);
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(apiDocument())));
  },
  whoami: ['whoami', 'ORGCTL_KEY_ID'],
  doctor: ['doctor', 'authentication'],
  probe: ['probe -o yaml', 'dialect: 1\n'],
  completion: ['completion bash', 'complete'],
  help: ['help exit-codes', 'quota_exceeded'],
  serve: [`serve ${serving}`, 'connections'],
  'serve check': async () => {
    expect((await works(`serve check --data ${await keptData()}`)).stderr).toContain('no problems found');
  },
  'serve backup': () => restored(),
  'serve restore': () => restored(),
  'serve rotate-master-key': () => rotated(),
  'local status': ['local status', 'http'],
  'local console': ['local console', /^http:\/\/127\.0\.0\.1:\d+\/#t=/m],
  'local logs': async () => {
    await works('quotas');
    expect((await works('local logs')).stdout).toContain('200  GET /quotas');
  },
  'local keys list': ['local keys list', 'key_ci'],
  'local keys issue': ['local keys issue', 'SECRET'],
  'local keys enable': ['local keys enable key_ci', 'true'],
  'local keys disable': ['local keys disable key_ci', 'false'],
  'local keys revoke': ['local keys revoke key_ci --yes', 'revoked'],
  'local clock show': ['local clock show', 'TIME'],
  'local clock set': ['local clock set 2030-01-01T00:00:00Z', '2030-01-01'],
  'local clock advance': ['local clock advance 10m', '10m ahead'],
  'local clock reset': ['local clock reset', / none$/m],
  'local faults list': ['local faults list', 'no faults\n'],
  'local faults set': ['local faults set GET␣/teams=503', 'RULE'],
  'local faults clear': ['local faults clear', 'removed all fault rules'],
  'local stubs list': ['local stubs list', 'no stubs\n'],
  'local stubs set': ['local stubs set GET␣/teams=200␣[]', 'GET /teams'],
  'local stubs clear': ['local stubs clear', 'removed all stubs'],
  'local quotas set': ['local quotas set teams=7', /^teams +7 /m],
  'local snapshot': ['local snapshot', /^snapshot_\d+$/m],
  'local snapshot list': async () => {
    const { stdout } = await works('local snapshot');
    expect((await works('local snapshot list')).stdout).toContain(stdout.trim());
  },
  'local restore': async () => {
    const { stdout } = await works('local snapshot');
    expect((await works(`local restore ${stdout.trim()} --yes`)).stderr).toContain(stdout.trim());
  },
  'local rate-limit show': ['local rate-limit show', 'no rate limit\n'],
  'local rate-limit set': ['local rate-limit set 100/1m', '100'],
  'local rate-limit clear': ['local rate-limit clear', 'removed the rate limit'],
  'local wait': ['local wait', 'http'],
  'local key': ['local key --yes', 'ORGCTL_KEY_ID=key_first'],
  'local stop': async () => {
    const data = temporaryDirectory();
    const serve = ['serve', '--quiet', '--no-profile', '--http', '--port', '0', '--data', data];
    const [program = '', ...script] = orgctl;
    const child = spawn(program, [...script, ...serve], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const led = (verb: string) => runBundle(['local', verb, '--data', data], { env: emptyEnvironment() });
    expect(await led('wait')).toMatchObject({ code: 0 });
    expect(await led('stop')).toMatchObject({ code: 0, stderr: expect.stringContaining('stopped') });
    expect(await ended).toEqual([0, null]);
  },
  'local reset': ['local reset --yes', 'back in its initial state'],
};

async function restored(): Promise<void> {
  const data = await keptData();
  const backup = join(data, 'backup');
  await works(`serve backup ${backup} --data ${data}`);
  await works(`serve restore ${backup} --data ${data} --force`);
  expect((await works(`serve check --data ${data}`)).stderr).toContain('no problems found');
}

async function rotated(): Promise<void> {
  const data = await keptData();
  expect((await works(`serve rotate-master-key --data ${data}`)).stderr).toContain('1 secret');
}

const commands = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);

describe('as it is shipped', () => {
  it.each(commands.map(({ words }) => words.join(' ')))('%s works', async (line) => {
    const way = ways[line];
    if (way === undefined) throw new Error(`no way through "${line}" is tried: add one`);
    await service.server.control.reset();
    if (typeof way === 'function') return way();
    const [given, printed, input] = way;
    const { stdout, stderr } = await works(given, input);
    expect(`${stdout}\n${stderr}`).toMatch(printed);
  });

  it('a request goes through a proxy, to a server with a certificate of its own', async () => {
    const directory = temporaryDirectory();
    const authority = await makeAuthority('of the tests');
    const { cert, key } = await authority.issue(['service.test']);
    const caFile = join(directory, 'ca.pem');
    writeFileSync(caFile, authority.cert);
    await using owned = await started({ tls: { cert, key } });
    const proxy = await connectProxy({ target: Number(new URL(owned.url).port) });
    const { code, stdout, stderr } = await runBuiltTool(['quotas', '-o', 'json'], {
      env: {
        ...emptyEnvironment(),
        ...serviceEnvironment(owned),
        ORGCTL_BASE_URL: 'https://service.test',
        ORGCTL_CA_FILE: caFile,
        HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveProperty('teams.limit', 20);
    expect(proxy.heads[0]).toMatch(/^CONNECT service\.test:443 /);
  });

  it('a command through a proxy is recorded as the guide says, with the secret of a profile', async () => {
    const guide = readFileSync(join(root, 'docs/guides/proxy.md'), 'utf8');
    const [, command = ''] = /`orgctl (proxy --record \S+ -- orgctl [^`]*)`/.exec(guide) ?? [];
    const file = join(temporaryDirectory(), 'calls.jsonl');
    const words = command
      .replace('calls.jsonl', file)
      .replace(' orgctl ', ` ${orgctl.join(' ')} `)
      .split(' ');
    const env = await withProfile();
    const { code, stderr } = await runBundle(words, { env });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('"target":"/teams');
  });

  it("a certificate that nobody vouches for is refused, and a profile's secret goes elsewhere only with --allow-host", async () => {
    const env = await withProfile();
    await using other = await started({});
    const line = ['teams', 'list', '--base-url', other.url, '--retries', '0', '-o', 'json'];
    const run = async (...more: string[]) => {
      const { code, stderr } = await runBundle([...line, ...more], { env });
      return { code, error: JSON.parse(stderr) };
    };
    expect(await run()).toMatchObject({ code: 3, error: { error: { code: 'config' } } });
    expect(await run('--allow-host')).toMatchObject({ code: 9, error: { error: { code: 'network' } } });
    // The other service knows no such key: the secret was used.
    expect(await run('--allow-host', '--ca-file', String(other.caFile))).toMatchObject({ code: 4 });
  });

  it('a secret comes from a command', async () => {
    const { server } = service;
    const env = { ...emptyEnvironment(), THE_SECRET: server.secret };
    const add = ['profile', 'add', 'here', '--base-url', server.url, '--key-id', server.keyId];
    const more = ['--ca-file', String(server.caFile), '--secret-command', 'printenv THE_SECRET'];
    expect(await runBundle([...add, ...more], { env })).toMatchObject({ code: 0 });
    expect(await runBundle(['quotas'], { env })).toMatchObject({ code: 0 });
  });
});

/** A server that stops with the scope it is declared in. */
async function started(options: ServerOptions) {
  const server = await startServer(options);
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}
