import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { profileStore } from '../../../src/profiles/file/store.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { errorOf, runCli, startCli, temporaryDirectory } from '../../support/run-cli.js';
import { useService } from '../../support/service.js';
import { relayTo } from '../support/relay.js';
import {
  type Answer,
  createdAnswer,
  pageAnswer,
  quotaAnswer,
  scriptedService,
} from '../support/scripted-service.js';
import { makeProfilesUnwritable } from '../support/unwritable-profiles.js';

const service = useService({ quotas: { 'api-keys': 1000 } });

const create = ['api-keys', 'create', '--name', 'ci'];

function storeOf(env: Readonly<Record<string, string | undefined>>) {
  return profileStore({ env, platform: process.platform, homedir: '/' });
}

it.each([
  'api-keys create --name ci',
  'teams update team_1 team_2 --name a',
  'connections create --name a --host h --database d --user u --password-env PW',
  'connections delete conn_1 conn_2 --yes',
])('what is printed is checked before anything is sent %s', async (line) => {
  const { peer, env } = await scriptedService({});
  for (const wrong of [
    ['--query', 'frobnicate(@)'],
    ['--columns', 'nosuch'],
    ['-o', 'nosuch'],
  ]) {
    const ended = await runCli([...line.split(' '), ...wrong], { env: { ...env, PW: 'x' } });
    expect([ended.code, ended.stdout], String(wrong)).toEqual([2, '']);
  }
  expect(peer.requests).toEqual([]);
});

describe('the secret of a new key', () => {
  it('is shown also where the query turns out not to apply', async () => {
    const ended = await runCli([...create, '--query', 'abs(created_at)'], { env: service.environment() });
    expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('was carried out') });
    expect(JSON.parse(ended.stdout)).toMatchObject({ secret: expect.stringMatching(/^.{64}$/) });
  });

  it('is on stderr where no file can be made and the reader of stdout has left', async () => {
    const env = service.environment({ ORGCTL_CONFIG_DIR: '/dev/null/none' });
    const { system, ended } = startCli(create, { env });
    system.closeStdout();
    expect((await ended).stderr).toMatch(/: [0-9a-f]{64}\n$/);
  });
});

describe.each(['--save-profile', '--secret-file'])('%s', (flag) => {
  const other = { baseUrl: 'https://other.example', keyId: 'key_other', secret: 'o' };
  const place = () => (flag === '--save-profile' ? 'ci' : join(temporaryDirectory(), 'secret'));

  it('shows the secret where something else took the place meanwhile, and leaves that as it is', async () => {
    const where = place();
    const isProfile = flag === '--save-profile';
    const peer = await relayTo(service.server, {
      after: async (call) => {
        if (call !== 'POST /api-keys') return undefined;
        await (isProfile ? storeOf(env).add('ci', other) : writeFileSync(where, 'precious'));
        return undefined;
      },
    });
    const env = service.environment({ ORGCTL_BASE_URL: peer.origin });
    const ended = await runCli([...create, flag, where, '-o', 'json'], { env });
    expect(ended.code).toBe(3);
    const { id, secret } = JSON.parse(ended.stdout);
    expect(secret).toMatch(/^.{64}$/);
    const message = isProfile
      ? 'profile "ci" already exists'
      : `${flag} ${where}: the file exists and is not overwritten`;
    expect(errorOf(ended)).toMatchObject({
      message,
      hint: `the key ${id} was created; its secret is on stdout`,
    });
    if (isProfile) expect((await storeOf(env).read()).profiles).toEqual({ ci: other });
    else expect(readFileSync(where, 'utf8')).toBe('precious');
  });

  it('that cannot be written is found before anything is sent', async () => {
    const { peer, env } = await scriptedService({ 'POST /api-keys': createdAnswer });
    makeProfilesUnwritable(env);
    const where = flag === '--save-profile' ? 'ci' : '/dev/null/none/secret';
    expect((await runCli([...create, flag, where], { env })).code).toBeGreaterThan(1);
    expect(peer.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('is as it was where the service refuses the creation', async () => {
    const where = place();
    const { env } = await scriptedService({
      'POST /api-keys': () => httpAnswer(403, { statusCode: 403, message: 'no' }),
    });
    expect((await runCli([...create, flag, where], { env })).code).toBe(5);
    expect(await storeOf(env).read()).toEqual({ version: 1, profiles: {} });
    expect(existsSync(where)).toBe(false);
  });
});

const secret = `${'Zq7'.repeat(21)}x`;

/** A body of an answer to `POST /api-keys`, and whether it is cut off. */
interface Shape {
  readonly body: string;
  readonly type?: string;
  readonly status?: number;
  readonly isCutOff?: boolean;
}

// Which answers are not understood is test/client/create-client.test.ts's: one that can be parsed, one that cannot, one cut off.
const shapes: readonly (readonly [string, Shape])[] = [
  ['no ID', { body: JSON.stringify({ name: 'ci', secret }) }],
  ['plain text', { body: `id=key_new\nsecret=${secret}\n`, type: 'text/plain', status: 200 }],
  ['an end that is missing', { body: `{"id":"key_new","secret":"${secret}"`, isCutOff: true }],
];

const understood: Shape = { body: JSON.stringify({ id: 'key_new', name: 'ci', secret, last_used_at: null }) };

function answering({ body, type = 'application/json', status = 201, isCutOff = false }: Shape): Answer {
  const length = String(Buffer.byteLength(body) + (isCutOff ? 100 : 0));
  const answer = httpAnswer(status, body, { 'Content-Type': type, 'Content-Length': length });
  return (_request, socket) => {
    if (!isCutOff) return answer;
    socket.end(answer);
    return undefined;
  };
}

async function serviceWith(shape: Shape) {
  const { env, peer } = await scriptedService({
    'POST /api-keys': answering(shape),
    'GET /api-keys': () => pageAnswer([], { total: 0, page: 1, pages: 1 }),
    'GET /quotas': () => quotaAnswer(10),
    'DELETE /api-keys/key_new': () => httpAnswer(500, { message: 'no' }),
  });
  const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
  const store = profileStore({ env, platform: process.platform, homedir: '/' });
  return { env, peer, store, rescued: () => rescuedIn(directory) };
}

/** The files beside the profiles in which something was rescued. */
function rescuedIn(directory: string) {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names
    .filter((name) => name.startsWith('recovered-'))
    .map((name) => join(directory, name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 }));
}

const raw = ['request', 'POST', '/api-keys', '-f', 'name=ci'];

describe.each(shapes)('an answer with %s', (_name, shape) => {
  it('is in a file when there is no stdout', () => expectRescued(shape, create, 10));

  const codeOfRequest = shape.isCutOff ? 10 : 0;

  it('is on stdout by request, too, or in a file', async () => {
    const { env } = await serviceWith(shape);
    const ended = await runCli([...raw, '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: codeOfRequest, stderr: expect.not.stringContaining(secret) });
    expect(ended.stdout.replaceAll(/\s/g, '')).toBe(shape.body.replaceAll(/\s/g, ''));
    await expectRescued(shape, raw, codeOfRequest);
  });

  it.each([
    ['--save-profile', () => 'new'],
    ['--secret-file', () => join(temporaryDirectory(), 'secret')],
  ])('is in a new file with %s', async (flag, place) => {
    const { env, store, rescued } = await serviceWith(shape);
    const where = place();
    const ended = await runCli([...create, flag, where, '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(rescued()).toMatchObject([{ text: shape.body, mode: 0o600 }]);
    expect(ended.stderr).toContain(rescued()[0]?.path);
    expect(ended.stderr).not.toContain(secret);
    expect(await store.read()).toEqual({ version: 1, profiles: {} });
    expect(existsSync(where)).toBe(false);
  });

  it('is in a new file after rotate, and the profile is as it was', async () => {
    const { env, peer, store, rescued } = await serviceWith(shape);
    const profile = { baseUrl: peer.origin, keyId: 'key_old', secret: 'o'.repeat(64) };
    await store.add('prod', profile);
    const { ORGCTL_CONFIG_DIR } = env;
    const ended = await runCli(['api-keys', 'rotate'], { env: { ORGCTL_CONFIG_DIR } });
    expect(ended).toMatchObject({ code: 10, stdout: '' });
    expect(rescued()).toMatchObject([{ text: shape.body, mode: 0o600 }]);
    expect(await store.read()).toEqual({ version: 1, current: 'prod', profiles: { prod: profile } });
    const { name } = JSON.parse(String(peer.requests.find(({ method }) => method === 'POST')?.body));
    expect(ended.stderr).toContain(`: orgctl api-keys list --all --name '${name}'\n`);
  });
});

async function expectRescued(shape: Shape, command: readonly string[], code: number) {
  const { env, rescued } = await serviceWith(shape);
  const stdoutFile = openSync('/dev/null', 'r+');
  onTestFinished(() => closeSync(stdoutFile));
  const ended = await runCli(command, { env, stdoutFile });
  expect(ended).toMatchObject({ code, stderr: expect.not.stringContaining(secret) });
  expect(rescued()).toMatchObject([{ text: expect.stringContaining(secret), mode: 0o600 }]);
  expect(ended.stderr).toContain(rescued()[0]?.path);
}

describe('an answer that is understood', () => {
  it.each([
    ['--query', 'secrt', '--raw'],
    ['--query', '{id: id, secret: Secret}'],
    ['--query', '[id, data.secret]', '--raw'],
    ['--columns', 'id,secret.value', '-o', 'csv'],
  ])('is whole on stdout where it lacks what %s %s asks for', async (...options) => {
    for (const command of options[0] === '--query' ? [create, raw] : [create]) {
      const { env } = await serviceWith(understood);
      const ended = await runCli([...command, ...options], { env });
      expect(ended).toMatchObject({ code: 10, stderr: expect.stringContaining('lacks fields that') });
      expect(JSON.parse(ended.stdout)).toEqual(JSON.parse(understood.body));
    }
  });

  it('of any shape is rescued when the reader of request has left', async () => {
    const { env, rescued } = await serviceWith({ body: JSON.stringify({ data: { id: 'key_new', secret } }) });
    const { system, ended } = startCli(raw, { env });
    system.closeStdout();
    await ended;
    expect(rescued()).toMatchObject([{ text: expect.stringContaining(secret), mode: 0o600 }]);
  });

  it('puts nothing but its own line into a warning, whatever its ID is', async () => {
    const body = JSON.stringify({ id: 'key_1\nerror: faked\r\u001b[2J\u2028', name: 'ci', secret });
    const { env } = await serviceWith({ body });
    const { stderr } = await runCli([...create, '-q', '--columns', 'name'], { env });
    expect(stderr).toMatch(
      /^warning: the chosen output does not show the secret, so the secret of key_1\\nerror: faked\\r\\u\{1b\}\[2J\\u\{2028\} is in .*\n$/,
    );
  });
});
