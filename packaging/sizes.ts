import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformOf, root } from './contents.js';

/** Names of packages. In the page, each size has a comment with the package's name in front. */
type SizedPackage = 'npm' | 'executable' | 'deb';

/** Writes a package's size into the page about packages, which shows sizes for linux-x64. */
export function recordSize(name: SizedPackage, bytes: number): void {
  if (platformOf(process.platform, process.arch).name !== 'linux-x64') return;
  const page = join(root, 'docs', 'operations', 'packages.md');
  const text = readFileSync(page, 'utf8');
  const written = writeSize(text, name, bytes);
  if (written !== text) writeFileSync(page, written);
}

export function measureFile(path: string): number {
  return statSync(path).size;
}

/** The size of the archive that `npm pack` would write. */
export function measureNpmPackage(): number {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root });
  return JSON.parse(packed.toString())[0].size;
}

/** @throws Error if the page has no place for the size */
export function writeSize(text: string, name: SizedPackage, bytes: number): string {
  const place = new RegExp(`(?<=<!-- size of ${name} -->)[\\d.]+ MB`);
  if (!place.test(text)) throw new Error(`docs/operations/packages.md has no size of ${name}`);
  const megabytes = bytes / 1_000_000;
  return text.replace(place, `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`);
}
