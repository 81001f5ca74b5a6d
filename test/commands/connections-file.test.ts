import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { connection, connections, fileOf } from './support/connection-entries.js';
import { createdAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

/** Creates what a file has, against a service that creates all. */
async function createFrom(file: string, options: Parameters<typeof runCli>[1] = {}) {
  const { env, peer, posted } = await scriptedService({
    'GET /quotas': () => quotaAnswer(100),
    'POST /connections': createdAnswer,
  });
  const args = ['connections', 'create', '--file', file, '-o', 'json'];
  const ended = await runCli(args, { ...options, env: { ...env, ...options.env } });
  return { ended, peer, posted: posted() };
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

const [json1, json2] = [JSON.stringify(one), JSON.stringify(two)];

describe('a file of several connections', () => {
  it.each([
    ['JSON with a byte-order mark and CRLF', 'c.json', `\uFEFF[${json1},\r\n${json2}]\r\n`],
    ['JSON with a comma too many', 'c.json', `[${json1},${json2},]`],
    ['YAML', 'c.yaml', yamlTwo],
    ['YAML documents, some of them empty', 'c', `---\n---\n${json1}\n---\n[${json2}]\n---\n`],
    ['JSONL', 'c.jsonl', `${json1}\n\n${json2}\n`],
    ['JSONL on stdin', '-', `${json1}\n${json2}`],
  ])('%s', async (_form, name, text) => {
    const { ended, posted } = await createFrom(name === '-' ? '-' : fileOf(text, name), { stdin: text });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(posted).toEqual([one, two]);
    expect(JSON.parse(ended.stdout)).toMatchObject([
      { name: 'app-0', result: 'created', id: 'conn_0', connection: { id: 'conn_0', name: 'app-0' } },
      { name: 'app-1', result: 'created', id: 'conn_1' },
    ]);
  });

  it.each([
    ['one', 'c.json', `${json1}`],
    ['one of YAML', 'c.yaml', yamlTwo.replace(/- name: app-1.*$/s, '').replace('- ', '  ')],
  ])('gives rows even with one in it: %s', async (_form, name, text) => {
    const { ended } = await createFrom(fileOf(text, name));
    expect(JSON.parse(ended.stdout)).toMatchObject([{ name: 'app-0', result: 'created' }]);
  });

  it.each(['', '\n', '# nothing\n---\n', 'null'])('that has nothing is refused: %j', async (text) => {
    const { ended } = await createFrom(fileOf(text, 'c.yaml'));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('c.yaml is empty') });
  });

  it('may have anchors under x-…, and no line break at its end', async () => {
    const entry = `{ <<: *pg, name: a, config: { host: h, database: d, user: u, password: p } }`;
    const text = `x-pg: &pg { type: pg }\nconnections:\n  - ${entry}`;
    const { ended, peer } = await createFrom(fileOf(text, 'c.yaml'));
    expect([ended.code, peer.requests.filter(({ method }) => method === 'POST').length]).toEqual([0, 1]);
  });

  it('may be an empty list', async () => {
    const { ended, peer } = await createFrom(fileOf([]));
    expect([ended, peer.connections]).toMatchObject([{ code: 0, stdout: '[]\n' }, 0]);
  });
});

describe('an entry', () => {
  const { password: _, ...config } = connection('app').config;
  const other = { name: 'other', type: 'mongodb', config: { password_env: 'as is', nested: [{ a: null }] } };
  const more = connection('app', { application_name: 'x' });

  it.each<[string, unknown, object]>([
    [
      'name a variable that holds the password',
      { ...connection('app'), config: { ...config, password: { env: 'DB_PASSWORD' } } },
      connection('app'),
    ],
    ['have further settings', more, more],
    ['have any settings at all for another type', other, other],
    ['be one that was listed', { id: 'conn_1', ...one, created_at: 'then', updated_at: 'now' }, one ?? {}],
    [
      'have a newline at the end of its password',
      connection('app', { password: 'hunter2\n' }),
      connection('app'),
    ],
  ])('may %s', async (_what, entry, sent) => {
    const { ended, posted } = await createFrom(fileOf([entry]), { env: { DB_PASSWORD: 'hunter2\n' } });
    expect(ended.code).toBe(0);
    expect(posted).toEqual([sent]);
  });
});

/** Runs a file that must be refused, and returns the lines of its problems. */
async function problemsOf(text: string, name: string, env = {}): Promise<string[]> {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, name), text);
  const { ended, peer } = await createFrom(name, { env, cwd });
  expect([ended, peer.connections]).toMatchObject([{ code: 2, stdout: '' }, 0]);
  const { message } = z.parse(z.object({ message: z.string() }), errorOf(ended));
  const [first = '', ...more] = message.split('\n').map((line) => line.trim());
  return more.length === 0 ? [first] : more;
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
      'c.yaml:4:11: config.password: missing',
      'c.yaml:4:21: config.port: must be a number, not a string',
      'c.yaml:4:54: config.ssl: must be a boolean, not a string',
      'c.yaml:5:3: name: the same as on line 2',
      'c.yaml:9:5: config.port: must be at most 65535',
      'c.yaml:10:5: config.database: must not be empty',
      'c.yaml:15:3: colour: unknown field of a connection',
      'c.yaml:20:5: config.password: must be a string, not a number',
      'c.yaml:22:3: name: missing',
      'c.yaml:22:3: config: missing',
      'c.yaml:23:3: not an object with name, type and config',
      'c.yaml:24:2: not an object with name, type and config',
    ]);
  });

  it('of several documents', async () => {
    const documents = `${json1}\n---\n# nothing\n---\n- ${json2}\n- name: x\n`;
    const problems = ['c.yaml:6:3: type: missing', 'c.yaml:6:3: config: missing'];
    expect(await problemsOf(documents, 'c.yaml')).toEqual(problems);
  });

  it('of passwords that come from variables', async () => {
    const { config } = connection('a');
    const entry = (more: object) =>
      JSON.stringify({ ...connection(JSON.stringify(more)), config: { ...config, ...more } });
    const text = [
      entry({ password: { env: 'UNSET' } }),
      entry({ password: { env: 'EMPTY' } }),
      entry({ password: { env: 'MISREAD' } }),
    ].join('\n');
    expect(await problemsOf(text, 'c.jsonl', { EMPTY: '', MISREAD: 'p\uFFFD' })).toEqual([
      expect.stringMatching(/^c.jsonl:1:\d+: config.password: the variable UNSET is not set/),
      expect.stringMatching(/^c.jsonl:2:\d+: config.password: the variable EMPTY is not set/),
      expect.stringMatching(/^c.jsonl:3:\d+: config.password: the variable MISREAD contains U\+FFFD/),
    ]);
  });
});

describe('what cannot be read is refused, and not repeated', () => {
  it.each([
    [
      'c.json',
      '[{"name": "a", "config": {"password": "hunter2" "x": 1}}]',
      'c.json:1:49: neither JSON nor YAML',
    ],
    ['c.jsonl', '{"name": "hunter2"\n\n[]\nhunter2', 'c.jsonl:1:1: not JSON'],
    ['c.yaml', 'a: 1\nb: *hunter2', 'c.yaml:2:4: an alias without its anchor'],
    ['c.yaml', 'password: "\\hunter2"', 'c.yaml:1:12: neither JSON nor YAML: Invalid escape sequence'],
    ['c.yaml', 'hunter2\n', 'c.yaml:1:1: not an object'],
  ])('%s', async (name, text, problem) => {
    const problems = await problemsOf(text, name);
    expect(problems[0]).toContain(problem);
    expect(problems.join()).not.toContain('hunter2');
  });

  it.each([
    ['no file', undefined, '--file c.json: no such file or directory\n'],
    ['an empty file', '', 'is empty'],
  ])('%s', async (_what, content, message) => {
    const cwd = temporaryDirectory();
    if (content !== undefined) writeFileSync(join(cwd, 'c.json'), content);
    const ended = await runCli(['connections', 'create', '--file', 'c.json'], { cwd });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});
