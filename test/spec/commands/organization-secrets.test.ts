import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { organizationJsonSchema } from '../../../src/organization/file.js';
import { checkFile } from '../../../src/organization/read-file.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { apply, entry, organization } from '../../support/organization.js';
import { runCli, temporaryDirectory } from '../../support/run-cli.js';
import { fileOf } from '../support/connection-entries.js';
import { marked, other, useOrganizationService } from '../support/organization-service.js';
import { pageAnswer, scriptedService } from '../support/scripted-service.js';

const { service, environment } = useOrganizationService();

/** A service with these connections, which keeps what it is sent. */
function foreign(connections: readonly Readonly<Record<string, unknown>>[] = []) {
  const envelope = { total: connections.length, page: 1, pages: 1 };
  const changed = ({ body }: { readonly body: Buffer }) => httpAnswer(200, JSON.parse(body.toString('utf8')));
  return scriptedService({
    'GET /connections': () => pageAnswer(connections, envelope),
    ...Object.fromEntries(connections.map(({ id }) => [`PATCH /connections/${id}`, changed])),
  });
}

it('a reference is none in what the service returns, although it is sent back beside a change', async () => {
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

it.each<[string, unknown, string, boolean]>([
  ['bare where a secret is', { password: { env: 'X' } }, 'pg', true],
  ['bare for another type', { password: { env: 'X' } }, 'mysql', false],
  ['marked deep in a list', { a: [[{ b: marked({ env: 'X' }) }]] }, 'mysql', true],
  ['of two sources', { a: marked({ env: 'X', file: 'x' }) }, 'mysql', false],
  ['in the place of all settings', marked({ env: 'X' }), 'mysql', false],
  ['none in a nested password', { a: [{ password: 'x' }] }, 'mysql', false],
])('a reference %s: the tool and the JSON schema say the same', (_what, config, type, isFine) => {
  const file = { version: 1, connections: [{ name: 'app', type, config }] };
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  expect(checkFile(file).length === 0).toBe(isFine);
  expect(ajv.validate(Object(organizationJsonSchema()), file)).toBe(isFine);
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
        { name: 'm', secret_to: { file: 'no-file' } },
      ],
    });
    const path = join(directory, 'org.yaml');
    writeFileSync(path, file);
    return { path, directory, hasRun: () => existsSync(ran) };
  }

  it('diff, export and a declined apply neither read nor run anything, and all of it is a problem afterwards alone', async () => {
    const { path, directory, hasRun } = trap();
    const env = environment();
    const plan = join(directory, 'plan.json');
    for (const args of [['diff', path], ['diff', path, '--out', plan, '--set-secrets', '-v'], ['export']]) {
      const ended = await runCli(args, { env });
      expect({ args, code: ended.code }).toEqual({ args, code: 0 });
      expect(hasRun()).toBe(false);
    }
    const no = await runCli(['apply', path], { env, isTTY: true, stdin: 'n\r' });
    expect(no).toMatchObject({ code: 130, stderr: expect.stringContaining('nothing was changed') });
    expect(hasRun()).toBe(false);
    const ended = await runCli(['apply', path, '--plan', plan], { env });
    expect(ended.code).toBe(2);
    for (const said of ['NOT_SET is not set', 'no-file: ', 'exists and is not overwritten'])
      expect(ended.stderr).toContain(said);
    expect(hasRun()).toBe(true);
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
  });

  it('the plan shows each command and file in full, on any terminal, and nothing of it is hidden', async () => {
    const long = `printf x ${'#'.repeat(3000)} end-of-line`;
    const hidden = `true # \u001b[2K\u202e\r\n touch /tmp/x`;
    const put = `cat > /dev/null # ${'k'.repeat(500)}`;
    const file = organization({
      connections: [
        entry('a', { password: { command: long } }),
        other({ a: { b: marked({ command: hidden }), c: marked({ file: 'f'.repeat(300) }) } }),
      ],
      'api-keys': [{ name: 'k', secret_to: { command: put } }],
    });
    const path = fileOf(file, 'org.yaml');
    const terminal = { env: environment(), isTTY: true, columns: 40, stdin: 'n\r' };
    const shown = [
      (await runCli(['apply', path, '--quiet'], terminal)).stderr,
      (await runCli(['diff', path], terminal)).stdout,
      (await runCli(['diff', path, '--columns', 'name,said'], terminal)).stdout,
    ];
    for (const text of shown) {
      expect(text).toContain(`from command ${long}`);
      expect(text).toContain(`from file ${'f'.repeat(300)}`);
      expect(text).toContain(String.raw`from command "true # \u001b[2K\u{202e}\r\n touch /tmp/x"`);
      expect(text).toContain(`to command ${put}`);
      expect(text).not.toContain('\u202e');
    }
  });
});

const settings = { host: 'db', port: 5432, database: 'app', user: 'app', ssl: true };
const file = organization({
  connections: [
    { name: 'a', type: 'pg', config: { ...settings, password: { env: 'APP_DB_PASSWORD' } } },
    { name: 'b', type: 'pg', config: settings },
  ],
});

it.each([
  ['the single record neither', { type: 'pg' }],
  ['no type either', {}],
  ['none', { type: 'pg', config: {} }],
])('settings that the service never returns are planned only if they are sent: %s', async (_, shown) => {
  const rows = ['a', 'b'].map((name) => ({ id: `conn_${name}`, name, ...shown }));
  const patches = rows.map((row) => [`PATCH /connections/${row.id}`, () => httpAnswer(200, row)] as const);
  const { env, peer } = await scriptedService({
    'GET /connections': () => pageAnswer(rows, { total: 2, page: 1, pages: 1 }),
    ...Object.fromEntries(patches),
  });
  const run = (args: string, stdin: string) =>
    runCli(args.split(' '), { env: { ...env, APP_DB_PASSWORD: 'hunter2' }, stdin });
  const sent = () => peer.requests.filter(({ method }) => method === 'PATCH');
  for (const command of ['diff - --exit-code', 'apply - --yes']) {
    const stderr = expect.stringMatching(
      /does not show [^\n]*config\.user[^\n]* of connection "a" \(conn_a\)/,
    );
    expect(await run(command, file)).toMatchObject({ code: 10, stdout: '', stderr });
  }
  expect(sent()).toEqual([]);
  expect((await run('apply - --yes --set-secrets', file)).code).toBe(0);
  expect(JSON.parse(`${sent()[0]?.body}`)).toMatchObject({ config: { ...settings, password: 'hunter2' } });
});
