import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// Contents and directories of the executable and the packages that contain it.

export const root = join(import.meta.dirname, '..');
export const output = join(root, 'dist-standalone');
export const executable = join(output, process.platform === 'win32' ? 'orgctl.exe' : 'orgctl');

/** The directory in which the executable's Node.js is installed. */
export const nodePackages = join(root, 'packaging', 'node');

export interface Platform {
  /** Such as `linux-x64`, for the names of archives. */
  readonly name: string;
  /** The npm package with Node.js for this platform. */
  readonly nodePackage: string;
  readonly debianArchitecture: string;
}

const debianArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export function platformOf(platform: string, arch: string): Platform {
  const system = platform === 'win32' ? 'win' : platform;
  const name = `${system}-${arch}`;
  return { name, nodePackage: `node-${name}`, debianArchitecture: debianArchitectures[arch] ?? arch };
}

/**
 * The time for reproducible packages, in seconds since the epoch: SOURCE_DATE_EPOCH, or the time of the commit, or now.
 * See https://reproducible-builds.org/specs/source-date-epoch/.
 */
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

/** The manual pages; none before a build. */
export function manPages(): Part[] {
  const directory = join(root, 'dist', 'man');
  return existsSync(directory)
    ? readdirSync(directory).map((name) => ({ name, path: join(directory, name) }))
    : [];
}

/** The prepared help pages, or the files of the management console. @throws Error before a build */
export function builtFiles(below: 'help' | 'console'): Part[] {
  const directory = join(root, 'dist', below);
  if (!existsSync(directory)) throw new Error(`${directory} does not exist: run npm run build`);
  return readdirSync(directory).map((name) => ({ name, path: join(directory, name) }));
}

/** The licenses of orgctl, of the bundled packages, and of Node.js with its parts. */
export function licences(): Part[] {
  const { nodePackage } = platformOf(process.platform, process.arch);
  return [
    { name: 'LICENSE', path: join(root, 'LICENSE') },
    { name: 'THIRD-PARTY-NOTICES.txt', path: join(output, 'THIRD-PARTY-NOTICES.txt') },
    { name: 'LICENSE.node', path: join(nodePackages, 'node_modules', nodePackage, 'LICENSE') },
  ];
}
