import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../support/run-cli.js';
import { connection, connections, fileOf } from './support/connection-entries.js';
import { createdAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

function creating() {
  return scriptedService({
    'GET /quotas': () => quotaAnswer(100),
    'POST /connections': createdAnswer,
  });
}

const [one, two] = connections(2);
const yamlTwo = `# two databases
- name: app-0
  type: postgresql
  config: &app
    host: db.example.com
    port: 5432
    database: app
    user: app
    password: hunter2
    ssl: true
- name: app-1
  type: postgresql
  config:
    <<: *app
`;

describe('a file of several connections', () => {
  it.each([
    ['JSON', 'c.json', JSON.stringify([one, two])],
    ['JSON, indented by tabs', 'c.json', JSON.stringify([one, two], null, '\t')],
    [
      'JSON with a byte-order mark and CRLF',
      'c.json',
      `\uFEFF[${JSON.stringify(one)},\r\n${JSON.stringify(two)}]\r\n`,
    ],
    ['JSON with a comma too many', 'c.json', `[${JSON.stringify(one)},${JSON.stringify(two)},]`],
    ['YAML', 'c.yaml', yamlTwo],
    ['YAML documents', 'c.yml', `---\n${JSON.stringify(one)}\n---\n${JSON.stringify(two)}\n`],
    [
      'YAML documents, some of them empty',
      'c',
      `---\n---\n${JSON.stringify(one)}\n---\n[${JSON.stringify(two)}]\n---\n`,
    ],
    ['JSONL', 'c.jsonl', `${JSON.stringify(one)}\n\n${JSON.stringify(two)}\n`],
    ['JSONL with CRLF under another name', 'c.json', `${JSON.stringify(one)}\r\n${JSON.stringify(two)}\r\n`],
  ])('%s', async (_form, name, text) => {
    const { env, posted } = await creating();
    const ended = await runCli(['connections', 'create', '--file', fileOf(text, name), '-o', 'json'], {
      env,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(posted()).toEqual([one, two]);
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { name: 'app-0', result: 'created', id: 'conn_0', connection: { id: 'conn_0', name: 'app-0' } },
      { name: 'app-1', result: 'created', id: 'conn_1' },
    ]);
  });

  it.each([JSON.stringify([one, two]), `${JSON.stringify(one)}\n${JSON.stringify(two)}`, yamlTwo])(
    'on stdin: %j',
    async (text) => {
      const { env, posted } = await creating();
      const ended = await runCli(['connections', 'create', '--file', '-'], { env, stdin: text });
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(posted()).toEqual([one, two]);
    },
  );

  it.each([
    ['[one]', 'c.json', JSON.stringify([one])],
    ['- one', 'c.yaml', `- ${JSON.stringify(one)}`],
    ['one line of .jsonl', 'c.jsonl', JSON.stringify(one)],
    ['one', 'c.json', JSON.stringify(one)],
    ['one', 'c.yaml', yamlTwo.replace(/- name: app-1.*$/s, '').replace('- ', '  ')],
  ])('gives rows even with one in it: %s (%s)', async (_form, name, text) => {
    const { env } = await creating();
    const ended = await runCli(['connections', 'create', '--file', fileOf(text, name), '-o', 'json'], {
      env,
    });
    expect(JSON.parse(ended.stdout)).toMatchObject([{ name: 'app-0', result: 'created' }]);
  });

  it('may be empty', async () => {
    const { env, peer } = await creating();
    const ended = await runCli(['connections', 'create', '--file', fileOf([]), '-o', 'json'], { env });
    expect(ended).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(peer.connections).toBe(0);
  });
});

describe('an entry', () => {
  it('may name a variable that holds the password', async () => {
    const { env, posted } = await creating();
    const { password: _, ...config } = connection('app').config;
    const file = fileOf([{ ...connection('app'), config: { ...config, password_env: 'DB_PASSWORD' } }]);
    const ended = await runCli(['connections', 'create', '--file', file], {
      env: { ...env, DB_PASSWORD: 'hunter2\n' },
    });
    expect(ended.code).toBe(0);
    expect(posted()).toEqual([connection('app')]);
  });

  it('may have further settings, and any at all for another type', async () => {
    const { env, posted } = await creating();
    const entries = [
      connection('app', { application_name: 'x' }),
      { name: 'other', type: 'mongodb', config: { password_env: 'as it is', nested: [{ a: null }] } },
    ];
    expect(await runCli(['connections', 'create', '--file', fileOf(entries)], { env })).toMatchObject({
      code: 0,
    });
    expect(posted()).toEqual(entries);
  });

  it('may be one that was listed, with the password added', async () => {
    const { env, posted } = await creating();
    const listed = { id: 'conn_1', ...one, created_at: 'then', updated_at: 'now' };
    expect(await runCli(['connections', 'create', '--file', fileOf([listed])], { env })).toMatchObject({
      code: 0,
    });
    expect(posted()).toEqual([one]);
  });

  it('loses one newline at the end of its password', async () => {
    const { env, posted } = await creating();
    const text = yamlTwo.replace('password: hunter2', 'password: |\n      hunter2');
    expect(await runCli(['connections', 'create', '--file', fileOf(text, 'c.yaml')], { env })).toMatchObject({
      code: 0,
    });
    expect(posted()).toEqual([one, two]);
  });
});

/** Runs a file that must be refused, and returns the lines of its problems. */
async function problemsOf(text: string | Buffer, name: string, variables = {}): Promise<string[]> {
  const { env, peer } = await creating();
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, name), text);
  const ended = await runCli(['connections', 'create', '--file', name], {
    env: { ...env, ...variables },
    cwd,
  });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(peer.connections).toBe(0);
  return ended.stderr
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim());
}

describe('all problems are told with file and line', () => {
  it('of YAML', async () => {
    const text = `# first line
- name: one
  type: postgresql
  config: {host: h, port: "x", database: d, user: u, ssl: yes}
- name: one
  type: pg
  config: &pg
    host: h
    port: 70000
    database: ''
    user: u
    password: hunter2
    ssl: true
- name: three
  colour: blue
  type: pg
  config:
    <<: *pg
    database: d
    password: 12
    port: 5432
- type: mysql
- just text
-
`;
    expect(await problemsOf(text, 'c.yaml')).toEqual([
      'c.yaml:4: config.port: expected number, received string',
      'c.yaml:4: config.password: missing',
      'c.yaml:4: config.ssl: expected boolean, received string',
      'c.yaml:5: name: the same as on line 2',
      'c.yaml:9: config.port: must be at most 65535',
      'c.yaml:10: config.database: must not be empty',
      'c.yaml:15: colour: unknown field of a connection',
      'c.yaml:20: config.password: expected string, received number',
      'c.yaml:22: name: missing',
      'c.yaml:22: config: missing',
      'c.yaml:23: not an object with name, type and config',
      'c.yaml:24: not an object with name, type and config',
    ]);
  });

  it('of JSON', async () => {
    const text = JSON.stringify(
      [one, { ...two, config: { ...two?.config, port: 1.5 } }, [one], one],
      null,
      2,
    );
    expect(await problemsOf(text, 'c.json')).toEqual([
      'c.json:19: config.port: expected int, received number',
      'c.json:26: not an object with name, type and config',
      'c.json:41: name: the same as on line 3',
    ]);
  });

  it('of JSONL', async () => {
    const bad = { ...two, type: 7 };
    const text = `${JSON.stringify(one)}\n\n${JSON.stringify(bad)}\nnull\n${JSON.stringify(one)}`;
    expect(await problemsOf(text, 'c.jsonl')).toEqual([
      'c.jsonl:3: type: expected string, received number',
      'c.jsonl:4: not an object with name, type and config',
      'c.jsonl:5: name: the same as on line 1',
    ]);
  });

  it('of several documents', async () => {
    const text = `${JSON.stringify(one)}\n---\n# nothing\n---\n- ${JSON.stringify(two)}\n- name: x\n`;
    expect(await problemsOf(text, 'c.yaml')).toEqual([
      'c.yaml:6: type: missing',
      'c.yaml:6: config: missing',
    ]);
  });

  it('of passwords that come from variables', async () => {
    const { password, ...config } = connection('a').config;
    const entry = (more: object) =>
      JSON.stringify({ ...connection(JSON.stringify(more)), config: { ...config, ...more } });
    const text = [
      entry({ password_env: 'UNSET' }),
      entry({ password_env: 'EMPTY' }),
      entry({ password_env: '' }),
      entry({ password_env: 7 }),
      entry({ password_env: 'SET', password }),
    ].join('\n');
    expect(await problemsOf(text, 'c.jsonl', { SET: 'x', EMPTY: '' })).toEqual([
      'c.jsonl:1: config.password_env: the variable UNSET is not set',
      'c.jsonl:2: config.password_env: the variable EMPTY is not set',
      'c.jsonl:3: config.password_env: not a variable name',
      'c.jsonl:4: config.password_env: not a variable name',
      'c.jsonl:5: config.password_env: the password was already given',
    ]);
  });
});

describe('what cannot be read is refused, and not repeated', () => {
  it.each([
    ['c.json', '[{"name": "a", "config": {"password": "hunter2" "x": 1}}]', 'c.json:1: not JSON'],
    ['c.json', '[{"password": "hunter2"},\n{"a": 1\n', 'c.json:3: '],
    ['c.jsonl', '{"name": "hunter2"\n\n[]\nhunter2', 'c.jsonl:1: not JSON'],
    ['c.yaml', 'a: 1\nb: *hunter2', 'c.yaml:2:4: an alias without its anchor'],
    ['c.yaml', 'a: 1\npassword: !hunter2', 'c.yaml:2:11: Unresolved tag'],
    ['c.yaml', 'password: |hunter2', 'c.yaml:1:12: Block scalar header includes extra characters'],
    ['c.yaml', 'password: "\\hunter2"', 'c.yaml:1:12: Invalid escape sequence'],
    ['c.yaml', 'password: !hunter2!', 'c.yaml:1:11: The !… tag has no suffix'],
    ['c.yaml', 'password: !<hunter2>', 'c.yaml:1:11: Unresolved tag'],
    ['c.yaml', '%hunter2\n---\na: 1', 'c.yaml:1:1: Unknown directive'],
    ['c.yaml', '%YAML hunter2\n---\na: 1', 'c.yaml:1:7: Unsupported YAML version'],
    ['c.yaml', 'password: @hunter2', 'c.yaml:1:11: Plain value cannot start with reserved character @'],
    ['c.yaml', 'password: {hunter2', 'c.yaml:1:19: Flow map in block collection'],
    ['c.yaml', 'a: 1\n\thunter2: 1', 'c.yaml:2:1: Tabs are not allowed'],
    ['c.jsonl', '{"name":"a"}\n{"name":"b","name":"c"}', 'c.jsonl:2:13: duplicate key'],
    ['c.yaml', 'hunter2', 'c.yaml:1: not an object'],
    ['c.json', 'null', 'c.json:1: not an object'],
  ])('%s', async (name, text, problem) => {
    const problems = await problemsOf(text, name);
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each([
    ['no file', 'nowhere.json', undefined, '--file nowhere.json: no such file or directory\n'],
    ['an empty file', 'c.json', '', 'is empty'],
    ['blank lines', 'c.jsonl', '\n \n', 'is empty'],
    ['bytes that are no text', 'c.json', Buffer.from([0x5b, 0xff, 0xfe, 0x5d]), 'is not UTF-8'],
  ])('%s', async (_what, name, content, message) => {
    const cwd = temporaryDirectory();
    if (content !== undefined) writeFileSync(join(cwd, name), content);
    const ended = await runCli(['connections', 'create', '--file', name], { cwd });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('a terminal', async () => {
    const ended = await runCli(['connections', 'create', '--file', '-'], { isTTY: true });
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--file - reads from a pipe'),
    });
  });
});
