import { describe, expect, it } from 'vitest';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, runCli, runMain } from '../support/run-cli.js';

describe('global options', () => {
  it.each([
    [['-o', 'json', 'profile', 'list']],
    [['profile', 'list', '-o', 'json']],
    [['-o', 'csv', 'profile', '-o', 'yaml', 'list', '-o', 'json']],
    [['-qo', 'json', 'profile', 'list']],
  ])('are accepted anywhere: %j', async (args) => {
    expect(await runCli(args)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });
});

describe('a bug in orgctl', () => {
  /** Runs in a process whose environment breaks when a variable is looked up: nothing expects that. */
  async function broken(...args: string[]) {
    const fault = new TypeError(`no such thing\u001b[2J`, { cause: new RangeError('out of it') });
    const env = new Proxy(emptyEnvironment(), {
      get(target, name) {
        if (name === 'ORGCTL_BASE_URL') throw fault;
        return Reflect.get(target, name);
      },
    });
    const system = memorySystem({ env, argv: args });
    const code = await runMain(system);
    return { code, stdout: system.stdoutText(), stderr: system.stderrText() };
  }

  it('exits 1 and says how to report it, and with --verbose alone where it came from', async () => {
    const ended = await broken('quotas');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^error: internal error: no such thing\\u\{1b\}\[2J\nhint: .*report.*--verbose.*\n$/,
    );
    const { stderr } = await broken('quotas', '-v');
    expect(stderr).toMatch(/^TypeError: no such thing\\u\{1b\}\[2J\n {4}at /);
    expect(stderr).toMatch(/\ncaused by RangeError: out of it\n {4}at /);
    expect(stderr).toMatch(/\nerror: internal error: .*\nhint: .*\n$/);
  });

  it.each([[[]], [['-v']]])('ends with a JSON line for scripts, also with %j', async (flags) => {
    const { code, stderr } = await broken('quotas', '-o', 'json', ...flags);
    const line = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect([code, JSON.parse(line)]).toMatchObject([1, { error: { code: 'internal', exitCode: 1 } }]);
  });
});
