import { realpathSync } from 'node:fs';
import { version } from './version.js';

/** The commit, set by the build; empty without a repository. */
declare const ORGCTL_COMMIT: string | undefined;
/** Set by the build of the executable. */
declare const ORGCTL_STANDALONE: boolean | undefined;

export interface Installation {
  readonly argv: readonly string[];
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
}

/** Whether orgctl runs as an executable that contains Node.js. */
export function isStandalone(): boolean {
  return typeof ORGCTL_STANDALONE !== 'undefined';
}

export function versionDetails({ argv, platform, arch, node }: Installation): string {
  const isExecutable = isStandalone();
  const path = resolveRealPath(argv[isExecutable ? 0 : 1] ?? '');
  const commit = typeof ORGCTL_COMMIT === 'undefined' ? '' : ORGCTL_COMMIT;
  const rows = [
    ['orgctl', version],
    ['commit', commit || 'unknown'],
    ['Node.js', isExecutable ? `${node}, in the executable` : node],
    ['platform', `${platform} ${arch}`],
    ['installed', `${installedBy(path, isExecutable)}: ${path}`],
  ];
  return rows.map(([name = '', value]) => `${name.padEnd(10)} ${value}\n`).join('');
}

// Parts of a path that identify the installer; the first match counts.
const packages: readonly (readonly [path: RegExp, name: string])[] = [
  [/[\\/]_npx[\\/]/, 'by npx'],
  [/[\\/]\.pnpm[\\/]/, 'by pnpm'],
  [/[\\/]\.yarn[\\/]/, 'by yarn'],
  [/[\\/]node_modules[\\/]orgctl[\\/]/, 'by npm'],
];
export function installedBy(path: string, isExecutable: boolean): string {
  if (isExecutable) return 'as an executable';
  return packages.find(([of]) => of.test(path))?.[1] ?? 'from a clone';
}

function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
