import { existsSync, realpathSync } from 'node:fs';
import { version } from './version.js';

/** Set by the build: the commit, empty without a repository. */
declare const ORGCTL_COMMIT: string | undefined;
/** Set by the build: whether this executable contains Node.js. */
declare const ORGCTL_STANDALONE: boolean | undefined;

export interface Installation {
  readonly argv: readonly string[];
  readonly platform: string;
  readonly arch: string;
  readonly node: string;
}

export function versionDetails({ argv, platform, arch, node }: Installation): string {
  const isStandalone = typeof ORGCTL_STANDALONE !== 'undefined';
  const path = resolveRealPath(argv[isStandalone ? 0 : 1] ?? '');
  const commit = typeof ORGCTL_COMMIT === 'undefined' ? '' : ORGCTL_COMMIT;
  const rows = [
    ['orgctl', version],
    ['commit', commit || 'unknown'],
    ['Node.js', isStandalone ? `${node}, in the executable` : node],
    ['platform', `${platform} ${arch}`],
    ['installed', `${installedBy(path, isStandalone)}: ${path}`],
  ];
  return rows.map(([name = '', value]) => `${name.padEnd(10)} ${value}\n`).join('');
}

// Parts of a path unique to each package; the first match counts.
const packages: readonly (readonly [path: RegExp, name: string])[] = [
  [/[\\/]_npx[\\/]/, 'by npx'],
  [/[\\/]\.pnpm[\\/]/, 'by pnpm'],
  [/[\\/]\.yarn[\\/]/, 'by yarn'],
  [/[\\/]node_modules[\\/]orgctl[\\/]/, 'by npm'],
];
const executables: readonly (readonly [path: RegExp, name: string])[] = [
  [/[\\/]Cellar[\\/]/, 'by Homebrew'],
  [/[\\/]scoop[\\/]apps[\\/]/, 'by Scoop'],
];

export function installedBy(path: string, isStandalone: boolean): string {
  if (path === '/usr/bin/orgctl' && existsSync('/var/lib/dpkg/info/orgctl.list'))
    return 'as a Debian package';
  const known = (isStandalone ? executables : packages).find(([of]) => of.test(path));
  return known?.[1] ?? (isStandalone ? 'as an executable' : 'as a clone');
}

/** A link in a directory of the PATH leads to it. */
function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
