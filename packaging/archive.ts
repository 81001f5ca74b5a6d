import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { executable, licences, manPages, output, platformOf, sourceDate } from './contents.js';
import { manifest } from './manifest.js';
import { writeManifests } from './manifests.js';
import { measureFile, measureNpmPackage, recordSize } from './sizes.js';

// Packs the executable from `npm run build:standalone` with its licenses and manual pages. Then writes checksums, a brew
// formula and a scoop manifest for the archives in dist-standalone/, and the sizes into the docs.

const { name } = platformOf(process.platform, process.arch);
const directory = `${manifest.name}-${manifest.version}-${name}`;
const tree = join(output, directory);

/** Options of GNU tar for a reproducible archive. */
const alike =
  process.platform === 'linux'
    ? ['--sort=name', `--mtime=@${sourceDate()}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX']
    : [];

rmSync(tree, { recursive: true, force: true });
mkdirSync(join(tree, 'man'), { recursive: true });
for (const part of licences()) copyFileSync(part.path, join(tree, part.name));
for (const part of manPages()) copyFileSync(part.path, join(tree, 'man', part.name));
copyFileSync(executable, join(tree, process.platform === 'win32' ? 'orgctl.exe' : 'orgctl'));
if (process.platform === 'win32') {
  // For scoop. The tar of Windows writes a zip file if the name ends in `.zip`.
  execFileSync('tar', ['-acf', `${directory}.zip`, directory], { cwd: output });
} else {
  const archive = execFileSync('tar', ['-cf', '-', ...alike, directory], { cwd: output, maxBuffer: 2 ** 30 });
  writeFileSync(join(output, `${directory}.tar.gz`), gzipSync(archive));
}
rmSync(tree, { recursive: true });
writeManifests(output);
recordSize('executable', measureFile(executable));
recordSize('npm', measureNpmPackage());
