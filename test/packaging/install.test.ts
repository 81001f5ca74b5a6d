import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { copyTree } from '../support/tree-copy.js';

const run = promisify(execFile);
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const house = temporaryDirectory();
// The other package managers, in the versions that these tests were written with.
const managers = ['pnpm@10.34.8', 'yarn@1.22.22', '@yarnpkg/cli-dist@4.18.1'];
const tools = join(house, 'tools');
const tarball = join(house, `${name}-${version}.tgz`);

/** What this machine says of registries, and nothing of the `npm run` that the tests are in. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const ofMachine = Object.entries(process.env).filter(
    ([variable]) => !/^npm_|^NODE_ENV$/i.test(variable) || /^npm_config_(?:registry|cafile)$/i.test(variable),
  );
  return {
    ...Object.fromEntries(ofMachine),
    npm_config_cache: join(house, 'cache'),
    npm_config_yes: 'true',
    ...more,
  };
}

/** Runs a program in a directory, to its end, which has to be a good one. */
function at(cwd: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return run(file, args, { cwd, env: environment(env) });
}

/** A project that nothing is installed in, at a path that has to be quoted. */
function project(): string {
  const directory = join(temporaryDirectory(), "o'rg project ünder test");
  mkdirSync(directory);
  writeFileSync(join(directory, 'package.json'), '{ "name": "project", "private": true }');
  return directory;
}

/** The tool as `start` starts it: what it is, and that it serves and asks. */
async function works(start: (...args: string[]) => Promise<{ stdout: string }>) {
  expect((await start('--version')).stdout.trim()).toBe(version);
  const ended = await start(
    'serve',
    '-q',
    '--',
    'node',
    '-e',
    'process.stdout.write(process.env.ORGCTL_KEY_ID)',
  );
  expect(ended.stdout).toMatch(/^key_/);
}

const npm = ['install', '--no-audit', '--no-fund', '--loglevel', 'warn', tarball];
const npx =
  (directory: string) =>
  (...args: string[]) =>
    at(directory, 'npx', ['--no', 'orgctl', '--', ...args]);

beforeAll(async () => {
  // What is packed is what is built: by prepack, unless it was left out here, as the tests before this one have built.
  await at(root, 'npm', ['pack', '--ignore-scripts', '--pack-destination', house]);
  mkdirSync(tools);
  await at(tools, 'npm', ['install', '--no-audit', '--no-fund', '--prefix', '.', ...managers]);
}, 180_000);

describe('the package installs', () => {
  it('by npm, with nothing to say, in a directory of any name', async () => {
    const directory = project();
    const { stderr } = await at(directory, 'npm', npm);
    expect(stderr).not.toMatch(/install-scripts|prepare|deprecated|EBADENGINE/);
    await works(npx(directory));
  });

  it('without the network, after it was installed once', async () => {
    const directory = project();
    await at(directory, 'npm', [...npm, '--offline']);
    await works(npx(directory));
  });

  it('without scripts', async () => {
    const directory = project();
    await at(directory, 'npm', [...npm, '--ignore-scripts']);
    await works(npx(directory));
  });

  it('without optional packages, but for the embedded database, and says so', async () => {
    const directory = project();
    await at(directory, 'npm', [...npm, '--omit=optional']);
    const orgctl = npx(directory);
    expect((await orgctl('--version')).stdout.trim()).toBe(version);
    await expect(orgctl('serve', '--', 'true')).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/@libsql\/.*\nhint: .*npm install --global --include=optional/),
    });
  });

  it('by npx alone', async () => {
    const directory = project();
    await works((...args) => at(directory, 'npx', ['--yes', '--package', tarball, '--', 'orgctl', ...args]));
  });

  it('by pnpm', async () => {
    const directory = project();
    const pnpm = (...args: string[]) =>
      at(directory, process.execPath, [join(tools, 'node_modules/pnpm/bin/pnpm.cjs'), ...args]);
    await pnpm('add', '--store-dir', join(house, 'pnpm-store'), tarball);
    await works((...args) => pnpm('exec', 'orgctl', ...args));
  });

  it('by yarn 1', async () => {
    const directory = project();
    const yarn = (...args: string[]) =>
      at(directory, process.execPath, [join(tools, 'node_modules/yarn/bin/yarn.js'), '--silent', ...args]);
    await yarn('add', '--cache-folder', join(house, 'yarn-cache'), `file:${tarball}`);
    // By its path: `yarn run` of that version takes the first -- for its own.
    await works((...args) => at(directory, join(directory, 'node_modules/.bin/orgctl'), args));
  });

  it('by yarn 4, which has no node_modules', async () => {
    const directory = project();
    const registry = (await at(directory, 'npm', ['config', 'get', 'registry'])).stdout.trim();
    const yarn = (...args: string[]) =>
      at(directory, process.execPath, [join(tools, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js'), ...args], {
        YARN_NPM_REGISTRY_SERVER: registry,
        YARN_GLOBAL_FOLDER: join(house, 'yarn-berry'),
        YARN_ENABLE_TELEMETRY: '0',
        // A registry may refuse the fifty connections that are the default.
        YARN_NETWORK_CONCURRENCY: '8',
        YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
      });
    writeFileSync(join(directory, 'yarn.lock'), '');
    // It says on stdout what failed, such as a registry that did not answer.
    await yarn('add', `orgctl@file:${tarball}`).catch((error: unknown) => {
      throw new Error(Object(error).stdout, { cause: error });
    });
    expect(readdirSync(directory)).toContain('.pnp.cjs');
    await works((...args) => yarn('run', 'orgctl', ...args));
    const library = `
      import { startServer } from 'orgctl/server';
      const server = await startServer({ data: 'data' });
      await server.control.quotas.set({ teams: 3 });
      await server.close();
      console.log('served');`;
    writeFileSync(join(directory, 'library.mjs'), library);
    expect((await yarn('node', 'library.mjs')).stdout).toBe('served\n');
  });
});

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

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// The types of undici 8 are held against it in test/libraries/types.test.ts, and undici 6 and 7 in test/client.
it('orgctl/client signs what undici 8 sends', async ({ skip }) => {
  skip(
    major < 22 || (major === 22 && minor < 19),
    'undici 8 wants Node.js 22.19, and earlier ones cannot load it',
  );
  const directory = project();
  await at(directory, 'npm', [...npm, 'undici@8.12.4']);
  const script = `
    import { signInterceptor } from 'orgctl/client';
    import { startServer } from 'orgctl/server';
    import { Agent, fetch, request } from 'undici';
    const server = await startServer({ http: true });
    const dispatcher = new Agent().compose(signInterceptor({ origin: server.url, keyId: server.keyId, secret: server.secret }));
    const headers = { 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: '{"name":"ops"}', dispatcher };
    const { statusCode, body } = await request(server.url + '/teams', sent);
    await body.dump();
    console.log(statusCode, (await fetch(server.url + '/teams', sent)).status);
    await dispatcher.close();
    await server.close();`;
  const { stdout } = await at(directory, 'node', ['--input-type=module', '--eval', script]);
  expect(stdout).toBe('201 201\n');
});

const isAdministrator = process.geteuid?.() === 0 && !spawnSync('runuser', ['--version']).error;

describe.skipIf(!isAdministrator)('a package that an administrator installed', () => {
  it('is for every user, where nobody can write', async () => {
    const prefix = join(house, 'prefix');
    await at(house, 'npm', [...npm, '--global', '--prefix', prefix]);
    chmodSync(house, 0o755);
    await run('chmod', ['-R', 'a-w,a+rX', prefix]);
    const home = temporaryDirectory();
    await run('chown', ['nobody', home]);
    const env = { PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`, HOME: home };
    await works((...args) =>
      run('runuser', ['-u', 'nobody', '--', join(prefix, 'bin/orgctl'), ...args], { cwd: '/', env }),
    );
    await run('chmod', ['-R', 'u+w', prefix]);
  });
});
