import { readFileSync } from 'node:fs';

// Set by the build.
declare const ORGCTL_VERSION: string | undefined;
/** Empty without a repository. */
declare const ORGCTL_COMMIT: string | undefined;
/** Only in the executable. */
declare const ORGCTL_STANDALONE: boolean | undefined;

export const isBuilt = typeof ORGCTL_VERSION !== 'undefined';

export const version: string = typeof ORGCTL_VERSION === 'undefined' ? manifestVersion() : ORGCTL_VERSION;

/** Whether orgctl runs as an executable that contains Node.js. */
export function isStandalone(): boolean {
  return typeof ORGCTL_STANDALONE !== 'undefined';
}

/** The version, and more that a report of a bug needs. */
export function versionDetails(argv: readonly string[], node: string): string {
  const commit = typeof ORGCTL_COMMIT === 'undefined' ? '' : ORGCTL_COMMIT;
  const rows = [
    `orgctl   ${version}`,
    `commit   ${commit || 'unknown'}`,
    `Node.js  ${node}`,
    `path     ${argv[isStandalone() ? 0 : 1]}`,
  ];
  return rows.map((row) => `${row}\n`).join('');
}

function manifestVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new Error('package.json has no version');
}
