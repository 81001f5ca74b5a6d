import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { executable, licences, manPages, output, platformOf } from './contents.js';
import { manifest } from './manifest.js';
import { writeManifests } from './manifests.js';

// Packs the executable that `npm run build:standalone` made with its notices and pages, for brew, scoop and by hand; and
// writes checksums, formula and manifest for all archives that are in dist-standalone/ by now.

const { name } = platformOf(process.platform, process.arch);
const directory = `${manifest.name}-${manifest.version}-${name}`;
const tree = join(output, directory);

rmSync(tree, { recursive: true, force: true });
mkdirSync(join(tree, 'man'), { recursive: true });
for (const part of licences()) copyFileSync(part.path, join(tree, part.name));
for (const part of manPages()) copyFileSync(part.path, join(tree, 'man', part.name));
copyFileSync(executable, join(tree, process.platform === 'win32' ? 'orgctl.exe' : 'orgctl'));
// Windows' own tar makes a zip of it by the name's ending, and scoop wants one.
const archive = `${directory}${process.platform === 'win32' ? '.zip' : '.tar.gz'}`;
execFileSync('tar', [process.platform === 'win32' ? '-acf' : '-czf', archive, directory], { cwd: output });
rmSync(tree, { recursive: true });
writeManifests(output);
