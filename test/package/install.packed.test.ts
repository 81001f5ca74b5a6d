import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { temporaryDirectory } from '../support/run-cli.js';

/** Copies the working tree without ignored files. */
function copyTree(directory: string): void {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of files.split('\0').filter((name) => name !== '')) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(directory, path));
  }
}

const run = promisify(execFile);
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const house = temporaryDirectory();
const tarball = join(house, `${name}-${version}.tgz`);

/** What this machine says of registries, and nothing of the `npm run` that the tests are in. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const ofMachine = Object.entries(process.env).filter(
    ([variable]) => !/^npm_|^NODE_ENV$/i.test(variable) || /^npm_config_(?:registry|cafile)$/i.test(variable),
  );
  return { ...Object.fromEntries(ofMachine), npm_config_cache: join(house, 'cache'), ...more };
}

/** Installs the package below a directory. */
async function install(prefix: string, ...options: string[]): Promise<string> {
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'warn', '--prefix', prefix];
  const { stderr } = await run('npm', [...args, ...options, tarball], { cwd: house, env: environment() });
  return stderr;
}

beforeAll(async () => {
  const args = ['pack', '--ignore-scripts', '--pack-destination', house];
  await run('npm', args, { cwd: root, env: environment() });
});

it('the package installs with nothing to say and without scripts, serves, and has a manual page', async () => {
  const prefix = join(temporaryDirectory(), "o'rg prefix ünder test");
  const orgctl = join(prefix, 'bin', 'orgctl');
  expect(await install(prefix, '--global', '--ignore-scripts')).not.toMatch(
    /install-scripts|prepare|deprecated|EBADENGINE/,
  );
  expect((await run(orgctl, ['--version'])).stdout.trim()).toBe(version);
  const { stdout } = await run(orgctl, ['serve', '-q', '--', orgctl, 'quotas', '-o', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ teams: { limit: 20 } });
  expect(readdirSync(join(prefix, 'share', 'man', 'man1'))).toEqual(['orgctl.1']);
});

it('the line of README installs from a clone', { timeout: 600_000 }, async () => {
  const clone = temporaryDirectory();
  const prefix = temporaryDirectory();
  copyTree(clone);
  const line = codeBlock('README.md', 'npm ci && npm install --global');
  const at = { cwd: clone, env: environment({ npm_config_prefix: prefix }), maxBuffer: 2 ** 24 };
  await run('bash', ['-e', '-c', line], at);
  const { stdout } = await run(join(prefix, 'bin', 'orgctl'), ['--version'], at);
  expect(stdout.trim()).toBe(version);
  // The line needs no more than prepack, which hides what a build prints; others read its stdout, too.
  expect(await run('npm', ['run', 'build', '--silent'], at)).toEqual({ stdout: '', stderr: '' });
});
