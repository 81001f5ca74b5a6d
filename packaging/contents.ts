import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the executable and the packages round it are made of, and where they are made. */

export const root = join(import.meta.dirname, '..');
export const output = join(root, 'dist-standalone');
export const executable = join(output, process.platform === 'win32' ? 'orgctl.exe' : 'orgctl');

/** Where the Node.js that goes into the executable is installed; see its package.json. */
export const nodePackages = join(root, 'packaging', 'node');

export interface Platform {
  /** In the names of archives: `linux-x64`. */
  readonly name: string;
  /** The registry's package of Node.js for it. */
  readonly nodePackage: string;
  readonly debianArchitecture: string;
}

const debianArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export function platformOf(platform: string, arch: string): Platform {
  const system = platform === 'win32' ? 'win' : platform;
  const name = `${system}-${arch}`;
  return { name, nodePackage: `node-${name}`, debianArchitecture: debianArchitectures[arch] ?? arch };
}

/** Seconds: when what is packed was written, by SOURCE_DATE_EPOCH or the commit (https://reproducible-builds.org/specs/source-date-epoch/). */
export function sourceDate(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  try {
    const args = ['log', '-1', '--format=%ct'];
    return Number(execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }).toString());
  } catch {
    return Math.floor(Date.now() / 1000);
  }
}

interface Part {
  readonly name: string;
  readonly path: string;
}

/** The manual pages, when the build has made them. */
export function manPages(): Part[] {
  const directory = join(root, 'dist', 'man');
  return existsSync(directory)
    ? readdirSync(directory).map((name) => ({ name, path: join(directory, name) }))
    : [];
}

/** What the build has made beside the bundles: the help, which is answered as soon as `--version`, and the management console. */
export function builtFiles(below: 'help' | 'console'): Part[] {
  const directory = join(root, 'dist', below);
  if (!existsSync(directory)) throw new Error(`${directory} is not there: npm run build`);
  return readdirSync(directory).map((name) => ({ name, path: join(directory, name) }));
}

/** The licences of all that is in the executable: its own, those of the packages bundled, and that of Node.js with its parts. */
export function licences(): Part[] {
  const { nodePackage } = platformOf(process.platform, process.arch);
  return [
    { name: 'LICENSE', path: join(root, 'LICENSE') },
    { name: 'THIRD-PARTY-NOTICES.txt', path: join(output, 'THIRD-PARTY-NOTICES.txt') },
    { name: 'LICENSE.node', path: join(nodePackages, 'node_modules', nodePackage, 'LICENSE') },
  ];
}
