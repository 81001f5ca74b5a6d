import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiDocument } from '../../src/api-description/document.js';
import { type Client, createClient } from '../../src/client/index.js';
import { type ServerOptions, startServer } from '../../src/server/index.js';
import { makeAuthority } from '../client/support/certificates.js';
import { connectProxy } from '../client/support/connect-proxy.js';
import { orgctl, root, useBuiltTool } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';
import { runBuiltTool } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';

// Nearly all other tests run the sources. What is shipped is a bundle of them with parts of packages left out, so one way
// through every command is run as it is shipped.

useBuiltTool();
const service = useService({ console: true });

/** Runs a command line against the service and expects that it succeeds; `␣` stands for a blank within a word. */
async function works(line: string, { input = '', env = {} as Record<string, string | undefined> } = {}) {
  const words = line.split(' ').map((word) => word.replaceAll('␣', ' '));
  const { code, stdout, stderr } = await runBuiltTool(words, {
    input,
    env: { ...service.environment(), ...env },
  });
  expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
  return { stdout, stderr };
}

// What a command works on is made by a client of the sources: each process costs a quarter of a second.
const created = async (create: (api: Client) => Promise<{ id: string }>): Promise<string> => {
  const { url, keyId, secret, caFile } = service.server;
  await using api = createClient({ baseUrl: url, keyId, secret, caFile });
  return (await create(api)).id;
};
const makeConnection = () =>
  created((api) => api.connections.create({ name: 'app', type: 'mysql', config: { host: 'db' } }));
const makeKey = () => created((api) => api.apiKeys.create({ name: 'ci' }));
const makeTeam = () => created((api) => api.teams.create({ name: 'platform' }));

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

/** As `works`, by the profile alone. */
async function worksWithProfile(line: string): Promise<string> {
  const { code, stdout, stderr } = await runBuiltTool(line.split(' '), { env: await withProfile() });
  expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
  return stdout;
}

/** The directory of a server that stopped. */
async function keptData(): Promise<string> {
  const data = temporaryDirectory();
  const server = await startServer({ data, http: true });
  await server.close();
  return data;
}

/** `orgctl local`, led to the service by the environment. */
function steered(line: string) {
  const { url, controlToken } = service.server;
  const env = { ORGCTL_CONTROL_URL: `${url}/_control`, ORGCTL_CONTROL_TOKEN: controlToken };
  return works(`local ${line}`, { env });
}

/** For each command line of the product, one that works, and what it prints. */
const ways: Record<string, () => Promise<void>> = {
  quotas: async () => expect((await works('quotas')).stdout).toMatch(/^KIND .*\napi-keys +20 /m),
  'connections list': async () => {
    await makeConnection();
    expect((await works('connections list')).stdout).toContain('app');
  },
  'connections get': async () =>
    expect((await works(`connections get ${await makeConnection()}`)).stdout).toContain('app'),
  'connections create': async () => {
    const line = 'connections create --name app --host db --database d --user u --password-stdin';
    expect((await works(line, { input: 'pw\n' })).stdout).toContain('conn_');
  },
  'connections update': async () =>
    expect((await works(`connections update ${await makeConnection()} --name new`)).stdout).toContain('new'),
  'connections delete': async () =>
    expect((await works(`connections delete ${await makeConnection()} --yes`)).stdout).toContain('deleted'),
  'api-keys list': async () => expect((await works('api-keys list')).stdout).toContain('bootstrap'),
  'api-keys get': async () => expect((await works(`api-keys get ${await makeKey()}`)).stdout).toContain('ci'),
  'api-keys create': async () => expect((await works('api-keys create --name ci')).stdout).toContain('key_'),
  'api-keys update': async () =>
    expect((await works(`api-keys update ${await makeKey()} --name cd`)).stdout).toContain('cd'),
  'api-keys disable': async () =>
    expect((await works(`api-keys disable ${await makeKey()} --yes -o json`)).stdout).toContain(
      '"enabled": false',
    ),
  'api-keys delete': async () =>
    expect((await works(`api-keys delete ${await makeKey()} --yes`)).stdout).toContain('deleted'),
  'api-keys rotate': async () => expect(await worksWithProfile('api-keys rotate')).toContain('here'),
  'teams list': async () => {
    await makeTeam();
    expect((await works('teams list')).stdout).toContain('platform');
  },
  'teams get': async () =>
    expect((await works(`teams get ${await makeTeam()}`)).stdout).toContain('platform'),
  'teams create': async () => expect((await works('teams create --name platform')).stdout).toContain('team_'),
  'teams update': async () =>
    expect((await works(`teams update ${await makeTeam()} --name new`)).stdout).toContain('new'),
  'teams delete': async () =>
    expect((await works(`teams delete ${await makeTeam()} --yes`)).stdout).toContain('deleted'),
  export: async () => {
    await makeTeam();
    expect((await works('export')).stdout).toContain('- name: platform');
  },
  diff: async () => {
    const { stdout } = await works('diff -', { input: 'version: 1\nteams: [{ name: other }]\n' });
    expect(stdout).toContain('+ other');
  },
  apply: async () => {
    const { stdout } = await works('apply - --yes', { input: 'version: 1\nteams: [{ name: applied }]\n' });
    expect(stdout).toContain('created');
  },
  request: async () => expect((await works('request GET /quotas')).stdout).toContain('"limit"'),
  sign: async () => expect((await works('sign GET /quotas')).stdout).toContain('X-API-Signature'),
  proxy: async () =>
    expect((await works(`proxy -q -- ${orgctl.join(' ')} quotas`)).stdout).toContain('connections'),
  'profile add': async () => {
    const { url, keyId, secret, caFile = '' } = service.server;
    const env = emptyEnvironment();
    const line = `profile add here --base-url ${url} --key-id ${keyId} --ca-file ${caFile} --secret-stdin`;
    expect(await runBuiltTool(line.split(' '), { env, input: `${secret}\n` })).toMatchObject({ code: 0 });
    expect((await runBuiltTool(['quotas'], { env })).stdout).toContain('api-keys');
  },
  'profile list': async () => expect(await worksWithProfile('profile list')).toContain('here'),
  'profile show': async () =>
    expect(await worksWithProfile('profile show here')).toContain(service.server.url),
  'profile use': async () => expect(await worksWithProfile('profile use here')).toBe(''),
  'profile rename': async () => expect(await worksWithProfile('profile rename here there')).toBe(''),
  'profile remove': async () => expect(await worksWithProfile('profile remove here --yes')).toBe(''),
  'profile set': async () =>
    expect(await worksWithProfile('profile set here --auth basic')).toContain('basic'),
  'profile path': async () => expect(await worksWithProfile('profile path')).toContain('profiles.json'),
  openapi: async () => {
    const published = readFileSync(join(root, 'dist', 'openapi.json'), 'utf8');
    expect((await works('openapi')).stdout).toBe(published);
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(apiDocument())));
  },
  whoami: async () => expect((await works('whoami')).stdout).toContain('ORGCTL_KEY_ID'),
  doctor: async () => expect((await works('doctor')).stdout).toContain('authentication'),
  probe: async () => expect((await works('probe -o yaml')).stdout).toBe('dialect: 1\n'),
  completion: async () => expect((await works('completion bash')).stdout).toContain('complete'),
  help: async () => expect((await works('help exit-codes')).stdout).toContain('quota_exceeded'),
  serve: async () => {
    expect((await works(`serve -q -- ${orgctl.join(' ')} quotas`)).stdout).toContain('connections');
  },
  'serve check': async () => {
    const data = await keptData();
    expect((await works(`serve check --data ${data}`)).stderr).toContain('no problems found');
  },
  'serve backup': async () => {
    const data = await keptData();
    await works(`serve backup ${join(data, 'backup')} --data ${data}`);
    expect(existsSync(join(data, 'backup'))).toBe(true);
  },
  'serve restore': async () => {
    const data = await keptData();
    await works(`serve backup ${join(data, 'backup')} --data ${data}`);
    await works(`serve restore ${join(data, 'backup')} --data ${data} --force`);
    await works(`serve -q --data ${data} -- true`);
  },
  'serve rotate-master-key': async () => {
    const data = await keptData();
    expect((await works(`serve rotate-master-key --data ${data}`)).stderr).toContain('1 API key');
  },
  'serve forget-master-key': async () => {
    const data = await keptData();
    await works(`serve rotate-master-key --data ${data}`);
    expect((await works(`serve forget-master-key --yes --data ${data}`)).stderr).toContain('deleted');
  },
  'local status': async () => expect((await steered('status')).stdout).toContain(service.server.url),
  'local console': async () =>
    expect((await steered('console')).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=/),
  'local logs': async () => {
    await works('quotas');
    expect((await steered('logs')).stdout).toContain('200  GET /quotas');
  },
  'local keys list': async () => expect((await steered('keys list')).stdout).toContain(service.server.keyId),
  'local keys issue': async () => expect((await steered('keys issue')).stdout).toContain('SECRET'),
  'local keys enable': async () =>
    expect((await steered(`keys enable ${service.server.keyId}`)).stdout).toContain('true'),
  'local keys disable': async () =>
    expect((await steered(`keys disable ${await makeKey()}`)).stdout).toContain('false'),
  'local keys revoke': async () =>
    expect((await steered(`keys revoke ${await makeKey()} --yes`)).stderr).toContain('revoked'),
  'local clock show': async () => expect((await steered('clock show')).stdout).toContain('TIME'),
  'local clock set': async () =>
    expect((await steered('clock set 2030-01-01T00:00:00Z')).stdout).toContain('2030-01-01'),
  'local clock advance': async () =>
    expect((await steered('clock advance 10m')).stdout).toContain('10m ahead'),
  'local faults list': async () => expect((await steered('faults list')).stderr).toBe('no faults\n'),
  'local faults set': async () =>
    expect((await steered('faults set GET␣/teams=503')).stdout).toContain('RULE'),
  'local faults clear': async () =>
    expect((await steered('faults clear')).stderr).toContain('all fault rules removed'),
  'local stubs list': async () => expect((await steered('stubs list')).stderr).toBe('no stubs\n'),
  'local stubs set': async () =>
    expect((await steered('stubs set GET␣/teams=200␣[]')).stdout).toContain('GET /teams'),
  'local stubs clear': async () =>
    expect((await steered('stubs clear')).stderr).toContain('all stubs removed'),
  'local quotas set': async () => expect((await steered('quotas set teams=7')).stdout).toMatch(/^teams +7 /m),
  'local snapshot': async () => expect((await steered('snapshot')).stdout).toMatch(/^snapshot_\d+\n$/),
  'local restore': async () => {
    const { stdout } = await steered('snapshot');
    expect((await steered(`restore ${stdout.trim()} --yes`)).stderr).toContain(stdout.trim());
  },
  'local snapshot list': async () => {
    const { stdout } = await steered('snapshot');
    expect((await steered('snapshot list')).stdout).toContain(stdout.trim());
  },
  'local clock reset': async () => expect((await steered('clock reset')).stdout).toMatch(/ none$/m),
  'local rate-limit show': async () =>
    expect((await steered('rate-limit show')).stderr).toBe('no rate limit\n'),
  'local rate-limit set': async () =>
    expect((await steered('rate-limit set 100/1m')).stdout).toContain('100'),
  'local rate-limit clear': async () =>
    expect((await steered('rate-limit clear')).stderr).toContain('rate limit removed'),
  'local wait': async () => expect((await steered('wait')).stdout).toContain(service.server.url),
  'local key': async () =>
    expect((await steered('key --yes')).stdout).toContain(`ORGCTL_KEY_ID=${service.server.keyId}`),
  'local stop': async () => {
    const data = temporaryDirectory();
    const serve = ['serve', '--quiet', '--no-profile', '--http', '--port', '0', '--data', data];
    const [program = '', ...script] = orgctl;
    const child = spawn(program, [...script, ...serve], { stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await works(`local wait --data ${data}`);
    expect((await works(`local stop --data ${data}`)).stderr).toContain('stopped');
    expect(await ended).toEqual([0, null]);
  },
  exec: async () =>
    expect(await worksWithProfile(`exec -p here -- ${process.execPath} -p process.env.ORGCTL_BASE_URL`)).toBe(
      `${service.server.url}\n`,
    ),
  'profile env': async () =>
    expect(await worksWithProfile('profile env here')).toContain(`ORGCTL_BASE_URL='${service.server.url}'`),
  'local reset': async () =>
    expect((await steered('reset --yes')).stderr).toContain('back in its initial state'),
};

const commands = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);

describe('as it is shipped', () => {
  it.each(commands.map(({ words }) => words.join(' ')))('%s works', async (line) => {
    const way = ways[line];
    if (way === undefined) throw new Error(`no way through "${line}" is tried: add one`);
    await service.server.control.reset();
    await way();
  });
});

describe('as it is shipped', () => {
  it('a request goes through a proxy, to a server with a certificate of its own', async () => {
    const directory = temporaryDirectory();
    const authority = await makeAuthority('of the tests');
    const { cert, key } = await authority.issue(['service.test']);
    const files = { 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': key };
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(directory, name), text, { mode: 0o600 });
    const tls = { cert, key };
    await using owned = await started({ tls });
    const proxy = await connectProxy({ target: Number(new URL(owned.url).port) });
    const { code, stdout, stderr } = await runBuiltTool(['quotas', '-o', 'json'], {
      env: {
        ...emptyEnvironment(),
        ...serviceEnvironment(owned),
        ORGCTL_BASE_URL: 'https://service.test',
        ORGCTL_CA_FILE: join(directory, 'ca.pem'),
        HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toHaveProperty('teams.limit', 20);
    expect(proxy.heads[0]).toMatch(/^CONNECT service\.test:443 /);
  });

  it('a probe through a proxy is recorded as the guide says, with the secret of a profile', async () => {
    const guide = readFileSync(join(root, 'docs/guides/proxy.md'), 'utf8');
    const [, command = ''] = /`orgctl (proxy --record \S+ -- orgctl probe[^`]*)`/.exec(guide) ?? [];
    const file = join(temporaryDirectory(), 'calls.jsonl');
    const words = command
      .replace('calls.jsonl', file)
      .replace(' orgctl ', ` ${orgctl.join(' ')} `)
      .split(' ');
    const env = await withProfile();
    const { code, stderr } = await runBuiltTool(words, { env });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(await runBuiltTool(['probe', '--from', file], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('list.items'),
    });
  });

  it("a certificate that nobody vouches for is refused, and a profile's secret goes elsewhere only with --allow-host", async () => {
    const env = await withProfile();
    await using other = await started({});
    const line = ['teams', 'list', '--base-url', other.url, '--retries', '0', '-o', 'json'];
    const run = async (...more: string[]) => {
      const { code, stderr } = await runBuiltTool([...line, ...more], { env });
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
    expect(await runBuiltTool([...add, ...more], { env })).toMatchObject({ code: 0 });
    expect(await runBuiltTool(['quotas'], { env })).toMatchObject({ code: 0 });
  });
});

/** A server that stops with the scope it is declared in. */
async function started(options: ServerOptions) {
  const server = await startServer(options);
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}
