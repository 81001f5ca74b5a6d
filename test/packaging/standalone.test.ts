import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orgctl } from '../support/built-tool.js';
import { isKeyringMissing, startKeyring } from '../support/keyring.js';
import { runBuiltTool, runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';

// What only the executable has to show; the tests of the built tool run on it, too.

const secret = 's'.repeat(64);
const there = ['--base-url', 'https://api.example.com', '--key-id', 'key_abc'];

/** Stores a secret in the keyring. */
function store(env: Record<string, string | undefined>, name: string) {
  const args = ['profile', 'add', name, ...there, '--secret-stdin', '--keyring', '--no-verify'];
  return runBuiltTool(args, { env, input: secret });
}

describe('the executable', () => {
  it('serves and keeps data with a home that nothing can be written to', async () => {
    const data = temporaryDirectory();
    const env = { ...emptyEnvironment(), HOME: '/dev/null' };
    const serve = ['serve', '-q', '--no-profile', '--data', data, '--', 'true'];
    expect(await runBuiltTool(serve, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await runBuiltTool(['serve', 'check', '--data', data], { env })).toMatchObject({ code: 0 });
  });

  it('shows its own management console, whatever lies in the directory that it is started in', async () => {
    const cwd = temporaryDirectory();
    mkdirSync(join(cwd, 'console'));
    writeFileSync(join(cwd, 'console', 'index.html'), 'not ours');
    const page = `fetch(process.env.ADDRESS).then(async (answer) => console.log(answer.status, await answer.text()))`;
    const script = `ADDRESS="$("$0" local status -o json -r --query console)" exec node -e '${page}'`;
    const serve = ['serve', '-q', '--console-port', '0', '--', 'sh', '-c', script, ...orgctl];
    const { stdout } = await runProcess('sh', ['-c', 'cd "$0" && exec "$@"', cwd, ...orgctl, ...serve], {
      env: emptyEnvironment(),
    });
    expect(stdout).toMatch(/^200 <!doctype html>/i);
    expect(stdout).not.toContain('not ours');
  });

  it('takes nothing out of itself to serve', async () => {
    const home = temporaryDirectory();
    const env = { ...emptyEnvironment(), HOME: home };
    await runBuiltTool(['serve', '-q', '--', 'true'], { env });
    expect(readdirSync(home)).toEqual([]);
  });
});

describe.skipIf(isKeyringMissing())('the keyring of the executable', () => {
  it('is there for two at once, and takes its module out once, for its owner alone', async () => {
    const { env } = await startKeyring();
    const home = temporaryDirectory();
    const ended = await Promise.all(['one', 'two'].map((name) => store({ ...env, HOME: home }, name)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const cache = join(home, '.cache', 'orgctl');
    const [name = '', ...others] = readdirSync(cache);
    expect([name, others]).toEqual([expect.stringMatching(/^keyring-[0-9a-f]{16}\.node$/), []]);
    expect([statSync(cache).mode & 0o777, statSync(join(cache, name)).mode & 0o777]).toEqual([0o700, 0o600]);
    writeFileSync(join(cache, name), 'not a module');
    expect(await store({ ...env, HOME: home }, 'three')).toMatchObject({ code: 0 });
  });

  it('says where its module cannot be put', async () => {
    const { env } = await startKeyring();
    const home = temporaryDirectory();
    writeFileSync(join(home, '.cache'), '');
    expect(await store({ ...env, HOME: home }, 'one')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/module cannot be loaded: .*\n.*XDG_CACHE_HOME/),
    });
  });
});
