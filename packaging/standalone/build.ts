import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { notice } from '../../build/notice.js';
import { type Component, connect, sbom } from '../../build/sbom.js';
import { builtFiles, executable, nodePackages, output, platformOf, root } from '../contents.js';
import { manifest } from '../manifest.js';
import { bundle } from './bundle.js';

// Makes dist-standalone/orgctl, an executable with Node.js for this platform, and the license notices and SBOM of its
// contents.

const require = createRequire(import.meta.url);
const work = join(output, 'work');
const isWindows = process.platform === 'win32';

await main();

async function main(): Promise<void> {
  const node = installNode();
  rmSync(output, { recursive: true, force: true });
  mkdirSync(join(work, 'code'), { recursive: true });
  await bundle(work);
  compile(node);
  write(node);
  describe();
}

/** Installs the npm package with Node.js for this platform; its version is in the lock file in packaging/node. */
function installNode(): string {
  const name = platformOf(process.platform, process.arch).nodePackage;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: nodePackages,
    stdio: 'ignore',
    shell: isWindows,
  });
  const path = join(nodePackages, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new Error(`npm has no package ${name} for this version of Node.js`);
  return path;
}

/** Compiles the build by running it, in a separate home directory. */
function compile(node: string): void {
  const home = join(work, 'home');
  mkdirSync(home);
  const args = [join(work, 'compile.cjs'), 'server', join(work, 'build'), join(work, 'code')];
  execFileSync(node, args, {
    env: { HOME: home, USERPROFILE: home, PATH: process.env['PATH'] },
    // If it fails, the error includes what it printed to stderr.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function write(node: string): void {
  const stripped = join(work, 'node');
  copyFileSync(node, stripped);
  chmodSync(stripped, 0o755);
  strip(stripped);
  const config = join(work, 'sea.json');
  writeFileSync(
    config,
    JSON.stringify({
      main: join(work, 'main.cjs'),
      executable: stripped,
      output: executable,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      assets: {
        ...filesIn(join(work, 'build')),
        ...filesIn(join(work, 'code')),
        ...keyring(),
        ...named('help'),
        ...named('console'),
        console: consoleNames(),
      },
    }),
  );
  execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', executable]);
}

/** Removes debugging symbols, which only make the executable larger. */
function strip(path: string): void {
  if (process.platform !== 'linux') return;
  try {
    execFileSync('strip', [path]);
  } catch {
    process.stderr.write('strip failed (Debian package: binutils): the executable has debugging symbols\n');
  }
}

function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => /\.(?:cjs|code)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, join(directory, name)]));
}

/** Paths of files by their names in the executable, such as `help/quotas.txt`. */
function named(below: 'help' | 'console'): Record<string, string> {
  return Object.fromEntries(builtFiles(below).map(({ name, path }) => [`${below}/${name}`, path]));
}

/** A file with the names of the console's files, because an executable cannot list what it contains. */
function consoleNames(): string {
  const path = join(work, 'console.json');
  writeFileSync(path, JSON.stringify(builtFiles('console').map(({ name }) => name)));
  return path;
}

/** The keyring's native module, under a name with its hash, and a file with that name. */
function keyring(): Record<string, string> {
  const path = nativeKeyring();
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  const name = `keyring-${digest.slice(0, 16)}.node`;
  const named = join(work, 'keyring');
  writeFileSync(named, name);
  return { keyring: named, [name]: path };
}

function nativeKeyring(): string {
  const scope = dirname(dirname(require.resolve('@napi-rs/keyring')));
  const candidates = readdirSync(scope).filter((name) =>
    name.startsWith(`keyring-${process.platform}-${process.arch}`),
  );
  const packages = candidates.map((name) => join(scope, name)).filter((path) => !path.endsWith('-musl'));
  const found = packages.flatMap((path) =>
    readdirSync(path)
      .filter((name) => name.endsWith('.node'))
      .map((name) => join(path, name)),
  );
  const [native] = found;
  if (native === undefined)
    throw new Error(
      '@napi-rs/keyring has no binary for this platform in node_modules: run npm ci without --omit=optional',
    );
  return native;
}

/** Writes SBOM and license notices for both bundles, Node.js and the keyring's module. */
function describe(): void {
  const bundles = [join(work, 'build'), join(root, 'dist', 'console')];
  const [bundled, ofConsole] = bundles.map((directory) =>
    JSON.parse(readFileSync(join(directory, 'sbom.cdx.json'), 'utf8')),
  );
  const { nodePackage } = platformOf(process.platform, process.arch);
  const further = [join(nodePackages, 'node_modules', nodePackage), dirname(nativeKeyring())].map(
    (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
  );
  const { components } = JSON.parse(sbom(manifest, further));
  // Nothing is installed beside the executable.
  const contained = bundled.components.filter(({ scope }: Component) => scope === undefined);
  const all: Component[] = [...contained, ...ofConsole.components, ...components];
  const whole = { ...bundled, components: all, dependencies: connect(manifest, all) };
  writeFileSync(join(output, 'orgctl.cdx.json'), `${JSON.stringify(whole, null, 2)}\n`);
  const notices = bundles.map((directory) =>
    readFileSync(join(directory, 'THIRD-PARTY-NOTICES.txt'), 'utf8'),
  );
  writeFileSync(join(output, 'THIRD-PARTY-NOTICES.txt'), [...notices, keyringNotice()].join('\n'));
}

/** The native module contains Rust packages; its own license is in the package that loads it. */
function keyringNotice(): string {
  const native = dirname(nativeKeyring());
  const manifest = JSON.parse(readFileSync(join(native, 'package.json'), 'utf8'));
  const own = join(dirname(require.resolve('@napi-rs/keyring')), 'LICENSE');
  const texts = [own, join(native, 'LICENSE.third-party.md')].map((path) => readFileSync(path, 'utf8'));
  return notice({ ...manifest, source: manifest.repository, licenseText: texts.join('\n') });
}
