import { readFileSync } from 'node:fs';

/** Set by the build, so that the bundle reads no file for its version. */
declare const ORGCTL_VERSION: string | undefined;

export const isBuilt = typeof ORGCTL_VERSION !== 'undefined';

export const version: string = typeof ORGCTL_VERSION === 'undefined' ? manifestVersion() : ORGCTL_VERSION;

function manifestVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new Error('package.json has no version');
}
