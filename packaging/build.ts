import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { commandLine } from '../build/rolldown.config.js';

// Makes dist-standalone/orgctl, an executable with Node.js for this platform, its manual page, and the licenses of its contents.
// It needs the output of `npm run build`. It has no keyring, whose package contains native code.

const root = join(import.meta.dirname, '..');
const output = join(root, 'dist-standalone');
const work = join(output, 'work');
const page = join(root, 'dist', 'console');
const isWindows = process.platform === 'win32';
const executable = join(output, isWindows ? 'orgctl.exe' : 'orgctl');

rmSync(output, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const nodePackage = installNode();
await bundle();
embed(nodePackage);
copyDocuments(nodePackage);
rmSync(work, { recursive: true });

/** Installs Node.js for this platform, in the version of the lock file. Returns its directory. */
function installNode(): string {
  const cwd = join(import.meta.dirname, 'node');
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, shell: isWindows });
  return join(cwd, 'node_modules', name);
}

/** Bundles the command line into one file, because an executable has one script. */
async function bundle(): Promise<void> {
  const { codeSplitting: _groups, ...whole } = commandLine.output;
  const define = { ...commandLine.transform?.define, ORGCTL_STANDALONE: 'true' };
  const embeddedPage = {
    name: 'embedded-page',
    resolveId: (source: string) =>
      source.endsWith('/page-files.js') ? join(root, 'src/server/console/page-files-embedded.ts') : undefined,
  };
  await build({
    ...commandLine,
    input: { main: 'bin/dev.mts' },
    transform: { ...commandLine.transform, define },
    plugins: [embeddedPage, commandLine.plugins],
    output: { ...whole, dir: work, codeSplitting: false },
  });
}

/** Puts the script and the console's files into a copy of Node.js. */
function embed(directory: string): void {
  const node = join(directory, 'bin', isWindows ? 'node.exe' : 'node');
  const stripped = join(work, 'node');
  copyFileSync(node, stripped);
  // Debugging symbols are a quarter of the file; without binutils they stay.
  if (process.platform === 'linux') spawnSync('strip', [stripped]);
  const names = readdirSync(page);
  // An executable cannot list what it contains.
  writeFileSync(join(work, 'console.json'), JSON.stringify(names));
  const files = Object.fromEntries(names.map((name) => [`console/${name}`, join(page, name)]));
  const config = {
    main: join(work, 'main.cjs'),
    executable: stripped,
    output: executable,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: { ...files, console: join(work, 'console.json') },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execFileSync(node, ['--build-sea', join(work, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', executable]);
}

function copyDocuments(directory: string): void {
  const name = 'THIRD-PARTY-NOTICES.txt';
  const notices = [work, page].map((bundled) => readFileSync(join(bundled, name), 'utf8'));
  writeFileSync(join(output, name), notices.join('\n'));
  copyFileSync(join(root, 'LICENSE'), join(output, 'LICENSE'));
  copyFileSync(join(root, 'dist', 'man', 'orgctl.1'), join(output, 'orgctl.1'));
  copyFileSync(join(directory, 'LICENSE'), join(output, 'LICENSE.node'));
}
