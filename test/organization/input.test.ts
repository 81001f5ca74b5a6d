import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf } from '../commands/support/connection-entries.js';
import { apply, entry, organization } from '../commands/support/organization.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();

/** What is said of a file, on which no service is asked. */
async function problemsOf(file: string): Promise<string> {
  const ended = await runCli(['diff', '-', '-o', 'json'], { stdin: `${file}\n` });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  const line = String(ended.stderr.trim().split('\n').at(-1));
  return String(errorOf({ ...ended, stderr: line })['message']);
}

describe('a file that cannot be used', () => {
  const v = 'version: 1\n';
  const to = 'secret_to: {file: x}';

  it('is told all its problems at once, each with line, column and the nearest right word', async () => {
    const message = await problemsOf(`version: 2
conections: []
connections:
  - name: app
    typ: pg
    type: pg
    config: { host: db, prt: 3, ports: 4, password: hunter2 }
  - name: app
  - { name: x, type: mysql, config: { auth: { password: hunter2 } } }
  - {}
api-keys:
  - name: ci
    enable: false
    secret_to: { fil: x }
  - name: cd
    secret_to: { file: x, env: Y }
`);
    expect(message).not.toContain('hunter2');
    const [, ...lines] = message.split('\n').map((line) => line.trim());
    expect(lines).toEqual([
      'stdin:1:1: version: must be 1, the only version',
      'stdin:2:1: conections: unknown field; did you mean connections?',
      'stdin:5:5: connections[0].typ: unknown field; did you mean type?',
      'stdin:7:25: connections[0].config.prt: unknown field; did you mean port?',
      'stdin:7:33: connections[0].config.ports: unknown field; did you mean port?',
      expect.stringContaining('stdin:7:43: connections[0].config.password: must be a reference to a secret'),
      'stdin:8:5: connections[1].name: the same as in connections[0] (line 4)',
      'stdin:9:47: connections[2].config.auth.password: must be a reference to a secret, never the secret itself',
      'stdin:10:5: connections[3].name: missing',
      'stdin:13:5: api-keys[0].enable: unknown field; did you mean enabled?',
      expect.stringContaining('stdin:14:5: api-keys[0].secret_to: must be { file: path }'),
      'stdin:16:27: api-keys[1].secret_to.env: unknown field',
    ]);
  });

  it.each([
    ['', 'stdin is empty'],
    ['- a', 'not an object with version'],
    ['version: 1\nteams:\n', 'stdin:2:1: teams: must be an array, not null'],
    ['teams: []', 'stdin:1:1: version: missing'],
    ['version: 1\nteams: [', 'stdin:3:1: neither JSON nor YAML'],
    ['version: 1\n---\nversion: 1', 'an organization file must be one document'],
    ['{"version":1,"team":[]}', 'stdin:1:14: team: unknown field; did you mean teams?'],
    [`${v}teams: [{name: a, id: team_1}, {name: b, id: team_1}]`, 'teams[1].id: the same as in teams[0]'],
    [
      `${v}teams:\n- {name: aa, renamed_from: t2}\n- {name: bb, renamed_from: t2}`,
      'stdin:4:14: teams[1].renamed_from: the same as in teams[0] (line 3)',
    ],
    [`${v}teams: [{name: a, renamed_from: a}]`, 'teams[0].renamed_from: is the same as name'],
    [`${v}api-keys: [{name: a, ${to}}, {name: b, ${to}}]`, 'api-keys[1].secret_to: the same'],
    [
      `${v}connections: [{name: a, type: pg, config: {port: 70000}}]`,
      'connections[0].config.port: must be at most 65535',
    ],
  ])('%j is refused', async (file, message) => {
    expect(await problemsOf(file)).toContain(message);
  });

  it.each([
    ['JSON', JSON.stringify({ version: 1, teams: Array.from({ length: 2_000 }, () => 0) })],
    ['YAML', `version: 1\nteams:\n${'  - 0\n'.repeat(2_000)}`],
  ])('is told its first 100 problems, and not all: %s', async (_format, file) => {
    const [first, ...listed] = (await problemsOf(file)).split('\n');
    expect(first).toContain('stdin has more than 100 problems');
    expect(listed).toHaveLength(100);
  });

  it('may not be longer than 16 MiB, as a file or on stdin', async () => {
    const long = Buffer.alloc(16 * 1024 * 1024 + 1, '#');
    for (const ended of [
      await runCli(['diff', '-'], { stdin: long }),
      await runCli(['apply', fileOf(long, 'org.yaml')]),
    ])
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('16777216') });
  });

  it('is called JSON by its name, when it is cut', async () => {
    const path = fileOf('{"version":1,"teams":[{"name":"a"}', 'org.json');
    const ended = await runCli(['diff', path]);
    expect(ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/org\.json:\d+:\d+: neither JSON nor YAML/m),
    });
  });

  it.each(['/dev/zero', '/tmp', '/nowhere/org.yaml'])('may not be %s', async (path) => {
    const stderr = expect.stringContaining(`${path}: `);
    expect(await runCli(['diff', path])).toMatchObject({ code: 2, stdout: '', stderr });
  });
});

describe('what an apply cannot do without', () => {
  /** What stands against a file, when nothing was sent. */
  async function refusalOf(file: string, env: Record<string, string | undefined> = {}): Promise<string> {
    await service.server.control.journal.clear();
    const { ended } = await apply(file, service.environment({ PATH: '/usr/bin:/bin', ...env }));
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(0);
    const line = String(ended.stderr.trim().split('\n').at(-1));
    return String(errorOf({ ...ended, stderr: line })['message']);
  }

  it('is every field of something new', async () => {
    const file = 'version: 1\nconnections:\n  - name: new\n    type: pg\n    config: { host: db }\n';
    const message = await refusalOf(file);
    for (const field of ['database', 'user', 'password'])
      expect(message).toContain(`stdin:5:13: connections[0].config.${field}: missing`);
    expect(message).toContain('new connection "new" needs it');
  });

  it('is the type of a new connection', async () => {
    const message = await refusalOf('version: 1\nconnections:\n  - { name: new }\n');
    for (const field of ['type', 'config'])
      expect(message).toContain(`stdin:3:5: connections[0].${field}: missing: new connection "new" needs it`);
  });

  it('is every secret that is to be sent, and all that lack are told', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'empty'), '\n');
    const references = [
      [{ env: 'NOT_SET' }, 'the variable NOT_SET is not set'],
      [{ env: 'EMPTY' }, 'the variable EMPTY is empty'],
      [{ file: join(directory, 'none') }, 'no such file or directory'],
      [{ file: join(directory, 'empty') }, 'is empty'],
      [{ file: directory }, 'is a directory'],
      [{ command: "sh -c 'exit 3'" }, 'exited with code 3'],
      [{ command: 'true' }, 'printed nothing'],
      [{ command: 'no-such-program-of-ours' }, 'exited with code 127'],
    ] as const;
    const connections = references.map(([password], at) => entry(`c${at}`, { password }));
    const message = await refusalOf(organization({ connections }), { EMPTY: '' });
    const lines = message.split('\n');
    for (const [at, [, said]] of references.entries())
      expect(lines.find((line) => line.includes(`connections[${at}].config.password`))).toContain(said);
  });

  it('is a place for the secret of each new key', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'taken'), 'x');
    mkdirSync(join(directory, 'closed'), { mode: 0o500 });
    chmodSync(join(directory, 'closed'), 0o500);
    const targets = [
      [undefined, 'secret_to: missing'],
      [{ file: join(directory, 'taken') }, 'exists and is not overwritten'],
      [{ file: join(directory, 'none', 'x') }, 'no such file or directory'],
      [{ file: directory }, 'exists and is not overwritten'],
      [{ profile: '..' }, 'is not a profile name'],
      [{ command: 'no-such-program-of-ours --put' }, 'command no-such-program-of-ours not found'],
    ] as const;
    for (const [target, said] of targets) {
      const keys = [{ name: 'new', ...(target && { secret_to: target }) }];
      expect(await refusalOf(organization({ 'api-keys': keys }))).toContain(said);
    }
  });

  it('is not the status of the key that signs', async () => {
    const message = await refusalOf(organization({ 'api-keys': [{ name: 'bootstrap', enabled: false }] }));
    expect(message).toContain(`${service.server.keyId} is the key you are using`);
  });
});
