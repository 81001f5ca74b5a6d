import { beforeEach, describe, expect, it } from 'vitest';
import { apply, entry, organization, teams } from '../commands/support/organization.js';
import { runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService();
beforeEach(() => service.server.control.reset());

const environment = () => service.environment({ APP_DB_PASSWORD: 'hunter2' });

/** The export of an organization with some of every kind. */
async function exported(env: ReturnType<typeof environment>, ...options: readonly string[]) {
  await apply(organization({ teams: teams(3), connections: [entry('app'), entry('b')] }), env);
  const { code, stdout } = await runCli(['export', ...options], { env });
  expect(code).toBe(0);
  return stdout;
}

/** Cut at the end of each line, which is where a cut shows least, and within lines now and then. */
const cuts = (text: string) =>
  Array.from(text.trimEnd(), (_, length) => text.slice(0, length)).filter(
    (cut) => cut.length % 97 === 0 || cut.endsWith('\n') || text[cut.length] === '\n',
  );

describe('an export that is cut off', () => {
  it.each([[[]], [['-o', 'json']]])('is refused, wherever it is cut: %j', async (options) => {
    const env = environment();
    const text = await exported(env, ...options);
    const stderr = expect.stringMatching(/^nothing to change \(6 unchanged\)\n/);
    expect(await runCli(['diff', '-'], { env, stdin: text })).toMatchObject({ code: 0, stderr });
    for (const cut of cuts(text)) {
      const ended = await runCli(['diff', '-'], { env, stdin: cut });
      expect({ cut: cut.slice(-40), ...ended }).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('says where, and what to do if nothing is missing', async () => {
    const text = await exported(environment());
    const lines = text.split('\n').slice(0, 8);
    for (const command of [['diff'], ['apply', '--yes']]) {
      const ended = await runCli([...command, '-'], { env: environment(), stdin: lines.join('\n') });
      expect(ended.stderr).toMatch(
        /stdin:8:\d+: the file is truncated: .* If nothing is missing, add that line/,
      );
    }
  });

  it('is not one with Windows line ends, or lines and comments behind its end', async () => {
    const env = environment();
    const text = await exported(env);
    for (const whole of [text.replaceAll('\n', '\r\n'), `${text}\n# reviewed\n`, text.trimEnd()]) {
      expect(await runCli(['diff', '-'], { env, stdin: whole })).toMatchObject({ code: 0 });
    }
    const added = await runCli(['diff', '-'], { env, stdin: `${text}  - name: more\n` });
    expect(added).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('a file written by hand that is cut off within a line', () => {
  const lines = [
    'version: 1',
    'teams:',
    '  - name: platform',
    '    # reviewed by ops',
    '  - name: "team-1"',
    'connections:',
    '  - { name: app, type: mysql, config: {} }',
  ];
  const within = /truncated|not YAML|missing|must be|unknown field/;

  it('is refused, wherever it is cut', async () => {
    const env = environment();
    const text = lines.join('\n');
    for (const [length, character] of [...text].entries()) {
      const cut = text.slice(0, length);
      if (cut.trim() === '' || cut.endsWith('\n')) continue;
      const ended = await runCli(['diff', '-'], { env, stdin: cut });
      expect({ cut, character, ...ended }).toMatchObject({ code: 2, stderr: expect.stringMatching(within) });
    }
  });

  it.each([
    ['YAML with a line break', `${lines.join('\n')}\n`, 0],
    ['YAML with its end', `${lines.join('\n')}\n...`, 0],
    ['YAML in brackets', '{ version: 1, teams: [] } ', 0],
    ['JSON', '{"version":1,"teams":[]}', 0],
    ['YAML whose last line is in brackets', lines.join('\n'), 2],
  ])('%s: %j exits with %d', async (_what, stdin, code) => {
    expect(await runCli(['diff', '-'], { env: environment(), stdin })).toMatchObject({ code });
  });

  it('creates nothing from entries either', async () => {
    const create = ['teams', 'create', '--file', '-', '--dry-run'];
    const stdin = '- name: one\n- name: tw';
    const ended = await runCli(create, { env: environment(), stdin });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('stdin:2:11: the file may be truncated');
    const whole = await runCli(create, { env: environment(), stdin: `${stdin}o\n` });
    expect(whole).toMatchObject({ code: 0 });
  });
});
