import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { copyTree } from '../support/tree-copy.js';

const run = promisify(execFile);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const house = temporaryDirectory();

/** What this machine says of registries, and nothing of the `npm run` that the tests are in. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const ofMachine = Object.entries(process.env).filter(
    ([variable]) => !/^npm_|^NODE_ENV$/i.test(variable) || /^npm_config_(?:registry|cafile)$/i.test(variable),
  );
  return { ...Object.fromEntries(ofMachine), npm_config_cache: join(house, 'cache'), ...more };
}

/** A PATH with these packages first, such as another npm. */
async function pathWith(packages: readonly string[]): Promise<string> {
  const tools = temporaryDirectory();
  const npm = ['install', '--no-audit', '--no-fund', '--prefix', tools, ...packages];
  await run('npm', npm, { cwd: tools, env: environment() });
  return `${join(tools, 'node_modules', '.bin')}:${process.env['PATH']}`;
}

describe('the line of README that installs from a clone', () => {
  // That of Node.js 20, which is the oldest that npm ci has to get by with, and the newest, which needs a newer Node.js.
  it.each([
    ['npm@10.8.2', []],
    ['npm@12.2.0', ['node@24']],
  ])('does so as it is printed, with %s', { timeout: 600_000 }, async (npm, more) => {
    const PATH = await pathWith([npm, ...more]);
    const clone = temporaryDirectory();
    const prefix = temporaryDirectory();
    copyTree(clone);
    const line = codeBlock('README.md', 'npm ci && npm install --global');
    const at = { cwd: clone, env: environment({ PATH, npm_config_prefix: prefix }), maxBuffer: 2 ** 24 };
    expect((await run('npm', ['--version'], at)).stdout.trim()).toBe(npm.replace('npm@', ''));
    await run('bash', ['-e', '-c', line], at);
    const { stdout } = await run(join(prefix, 'bin', 'orgctl'), ['--version'], at);
    expect(stdout.trim()).toBe(version);
    // The line needs no more than prepack, which hides what a build prints; others read its stdout, too.
    expect(await run('npm', ['run', 'build', '--silent'], at)).toEqual({ stdout: '', stderr: '' });
  });
});
