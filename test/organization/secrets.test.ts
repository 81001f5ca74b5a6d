import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { organizationJsonSchema } from '../../src/organization/declaration/json-schema.js';
import { checkFile } from '../../src/organization/read/check-file.js';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, entry, organization, planOf } from '../commands/support/organization.js';
import {
  createdAnswer,
  pageAnswer,
  quotaAnswer,
  scriptedService,
} from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { codeBlock } from '../support/pages.js';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { marked, other, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

/** A service with these connections, which keeps what it is sent. */
function foreign(connections: readonly Readonly<Record<string, unknown>>[] = []) {
  const envelope = { total: connections.length, page: 1, pages: 1 };
  const changed = ({ body }: { readonly body: Buffer }) => httpAnswer(200, JSON.parse(body.toString('utf8')));
  return scriptedService({
    'GET /connections': () => pageAnswer(connections, envelope),
    'GET /quotas': () => quotaAnswer(10),
    'POST /connections': createdAnswer,
    ...Object.fromEntries(connections.map(({ id }) => [`PATCH /connections/${id}`, changed])),
  });
}

describe('a reference', () => {
  it('is one where a declaration has a secret, or where the file marks it; all else is data', async () => {
    const { env, posted } = await foreign();
    const data = {
      labels: { env: 'APP_DB_PASSWORD' },
      options: { command: 'id', file: '/etc/passwd' },
      list: [{ file: '/etc/passwd' }, { command: 'id' }],
    };
    const file = organization({
      connections: [
        entry('app', { ...data, token: marked({ env: 'TOKEN' }), user: marked({ env: 'TOKEN' }) }),
        other({ ...data, password: marked({ env: 'TOKEN' }), deep: [{ pw: marked({ env: 'TOKEN' }) }] }),
      ],
    });
    const { ended } = await apply(file, { ...env, APP_DB_PASSWORD: 'hunter2', TOKEN: 'one' });
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    expect(posted()).toMatchObject([
      { config: { ...data, token: 'one', user: 'one', password: 'hunter2' } },
      { config: { ...data, password: 'one', deep: [{ pw: 'one' }] } },
    ]);
  });

  it('is written as docs/guides/organization-file.md shows', async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'org.yaml');
    writeFileSync(path, `${codeBlock('docs/guides/organization-file.md', 'version: 1')}\n`);
    writeFileSync(join(directory, 'reports.key'), 'a key\n');
    const { env, posted } = await foreign();
    const all = { ...env, REPORTS_DB_PASSWORD: 'hunter2' };
    expect(await runCli(['apply', path, '--yes'], { env: all })).toMatchObject({ code: 0 });
    const labels = { env: 'production' };
    const config = { host: 'db.example.com', password: 'hunter2', tls: { key: 'a key' }, labels };
    expect(posted()).toEqual([{ name: 'reports', type: 'mysql', config }]);
  });

  it('is none in what the service returns, although it is sent back beside a change', async () => {
    const theirs = { password: 'x', options: { a: 1, theirs: marked({ env: 'TOKEN' }) } };
    const { peer, env } = await foreign([{ ...other(theirs), id: 'conn_1' }]);
    const connections = [other({ options: { a: 2 }, token: marked({ env: 'TOKEN' }) })];
    const tokens = { ...env, TOKEN: 'one' };
    const { ended } = await apply(organization({ connections }), tokens, '--set-secrets');
    expect(ended.code).toBe(0);
    const patch = peer.requests.find(({ method }) => method === 'PATCH');
    expect(JSON.parse(String(patch?.body))).toEqual({
      config: { options: { a: 2, theirs: marked({ env: 'TOKEN' }) }, token: 'one' },
    });
  });

  const connections = (config: Record<string, unknown>, type?: string) => ({
    version: 1,
    connections: [{ name: 'app', ...(type && { type }), config }],
  });
  const env = { env: 'X' };
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  const validate = ajv.compile(Object(organizationJsonSchema()));

  it.each([
    ['bare where a secret is', connections({ password: env }, 'pg'), true],
    ['in an entry without a type', connections({ password: { command: 'x' } }), false],
    ['marked where a secret is', connections({ password: marked(env) }, 'pg'), false],
    ['bare for another type', connections({ password: env }, 'mysql'), false],
    ['marked for another type', connections({ password: marked(env) }, 'mysql'), true],
    ['data', connections({ options: env, list: [{ file: 'x' }] }, 'pg'), true],
    ['marked in a text', connections({ host: marked({ file: 'x' }) }, 'pg'), true],
    ['marked in a number', connections({ port: marked(env) }, 'pg'), false],
    ['bare in a text', connections({ host: env }, 'pg'), false],
    ['marked deep in a list', connections({ a: [[{ b: marked(env) }]] }, 'mysql'), true],
    ['of two sources', connections({ a: marked({ env: 'X', file: 'x' }) }, 'mysql'), false],
    ['with something beside it', connections({ a: { ...marked(env), b: 1 } }, 'mysql'), false],
    ['of no source', connections({ a: marked({ vault: 'x' }) }, 'mysql'), false],
    ['of an empty name', connections({ a: marked({ env: '' }) }, 'mysql'), false],
    ['of a text', connections({ a: { b: { $secret: 'X' } } }, 'pg'), false],
    ['in the place of all settings', connections(marked(env), 'mysql'), false],
    ['bare in a nested password', connections({ a: { password: env } }, 'pg'), false],
    ['marked in a nested password', connections({ a: { password: marked(env) } }, 'pg'), true],
    ['none in a nested password', connections({ a: [{ password: 'x' }] }, 'mysql'), false],
    ['no reference', connections({ password: 'x' }, 'pg'), false],
    ['in a name', { version: 1, teams: [{ name: marked(env) }] }, false],
    ['in the place of a secret', { version: 1, 'api-keys': [{ name: 'a', secret_to: env }] }, false],
    ['a place that is none', { version: 1, connections: [{ name: 'a', secret_to: { file: 'x' } }] }, false],
  ])('%s: the tool and the JSON schema say the same', (_what, file, isFine) => {
    const problems = checkFile(file);
    expect(problems.length === 0, JSON.stringify(problems)).toBe(isFine);
    expect(validate(file), JSON.stringify(validate.errors)).toBe(isFine);
  });
});

describe('before the plan is confirmed', () => {
  /** A file that runs a command or reads something wherever it can, and what is there when it did. */
  function trap() {
    const directory = temporaryDirectory();
    const ran = join(directory, 'ran');
    const command = `touch ${ran}; cat`;
    mkdirSync(join(directory, 'no-file'));
    const file = organization({
      connections: [
        entry('a', { password: { command } }),
        entry('b', { password: { file: 'no-file' } }),
        entry('c', { password: { env: 'NOT_SET' } }),
        other({ a: [marked({ command })], b: marked({ file: 'no-file' }), c: marked({ env: 'NOT_SET' }) }),
      ],
      'api-keys': [
        { name: 'k', secret_to: { command } },
        { name: 'l', secret_to: { command: 'no-such-program-of-ours' } },
        { name: 'm', secret_to: { file: 'no-file' } },
      ],
    });
    const path = join(directory, 'org.yaml');
    writeFileSync(path, file);
    return { path, directory, hasRun: () => existsSync(ran) };
  }

  it.each(['n', ''])('nothing is read or run, and so after %j', async (answer) => {
    const { path, hasRun } = trap();
    const ended = await runCli(['apply', path], { env: environment(), isTTY: true, stdin: `${answer}\r` });
    expect(ended).toMatchObject({ code: 130, stderr: expect.stringContaining('nothing was changed') });
    expect(ended.stderr).not.toMatch(/NOT_SET is not|no-file: /);
    expect(hasRun()).toBe(false);
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('diff and export neither read nor run anything, and all of it is a problem afterwards alone', async () => {
    const { path, directory, hasRun } = trap();
    const env = environment();
    const plan = join(directory, 'plan.json');
    for (const args of [['diff', path], ['diff', path, '--out', plan, '--set-secrets', '-v'], ['export']]) {
      const ended = await runCli(args, { env });
      expect({ args, code: ended.code }).toEqual({ args, code: 0 });
      expect(hasRun()).toBe(false);
    }
    const ended = await runCli(['apply', path, '--plan', plan], { env });
    expect(ended.code).toBe(2);
    const missing = 'command no-such-program-of-ours not found';
    for (const said of ['NOT_SET is not set', 'no-file: ', missing, 'exists and is not overwritten'])
      expect(ended.stderr).toContain(said);
    expect(hasRun()).toBe(true);
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('the plan shows each command and file in full, on any terminal, and nothing of it is hidden', async () => {
    const long = `printf x ${'#'.repeat(3000)} end-of-line`;
    const hidden = `true # \u001b[2K\u202e\r\n touch /tmp/x`;
    const keys = [
      { name: 'k', secret_to: { command: `cat > /dev/null # ${'k'.repeat(500)}` } },
      { name: 'l', secret_to: { file: `./${'l'.repeat(200)}` } },
      { name: 'm', secret_to: { profile: 'm' } },
    ];
    const file = organization({
      connections: [
        entry('a', { password: { command: long } }),
        entry('b', { password: { file: `../${'f'.repeat(300)}` } }),
        other({ a: { b: marked({ command: hidden }), c: marked({ env: 'NAME' }) } }),
      ],
      'api-keys': keys,
    });
    const path = fileOf(file, 'org.yaml');
    const terminal = { env: environment(), isTTY: true, columns: 40, stdin: 'n\r' };
    const shown = [
      (await runCli(['apply', path, '--quiet'], terminal)).stderr,
      (await runCli(['diff', path], terminal)).stdout,
      (await runCli(['diff', path, '--columns', 'name,said'], terminal)).stdout,
      (await runCli(['diff', path], { env: environment() })).stdout,
    ];
    for (const text of shown) {
      expect(text).toContain(`from command ${long}`);
      expect(text).toContain(`from file ../${'f'.repeat(300)}`);
      expect(text).toContain(String.raw`from command "true # \u001b[2K\u{202e}\r\n touch /tmp/x"`);
      expect(text).toContain('from NAME');
      expect(text).toContain(`to command ${keys[0]?.secret_to.command}`);
      expect(text).toContain(`to file ${keys[1]?.secret_to.file}`);
      expect(text).toContain('to profile m');
      expect(text).not.toContain('\u202e');
      expect(text).not.toContain('\u001b[2K\\');
    }
    const { plan } = await planOf(file, environment());
    expect(plan.changes).toMatchObject([
      { name: 'a', secrets: [{ field: 'config.password', sent: true, from: { command: long } }] },
      { name: 'b' },
      {
        name: 'other',
        secrets: [{ field: 'config.a.b', from: { command: hidden } }, { field: 'config.a.c' }],
      },
      ...keys.map(({ secret_to }) => ({ secretTo: secret_to })),
    ]);
  });
});

it('a command that several entries name is run once for all of them, and another one by itself', async () => {
  const ran = join(temporaryDirectory(), 'ran');
  const from = (secret: string) => ({ password: { command: `echo ${secret} >> ${ran}; echo ${secret}` } });
  const connections = [entry('a', from('one')), entry('b', from('one')), entry('c', from('two'))];
  const { env, posted } = await foreign();
  const { ended } = await apply(organization({ connections }), { ...env, PATH: '/usr/bin:/bin' });
  expect(ended.code).toBe(0);
  expect(readFileSync(ran, 'utf8').split('\n').sort()).toEqual(['', 'one', 'two']);
  expect(posted()).toMatchObject(['one', 'one', 'two'].map((password) => ({ config: { password } })));
});
