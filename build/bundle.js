import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

// Builds the bundles of a configuration file, and prints only warnings, on stderr. Rolldown's own command lists every
// file on stdout, where `npm pack` prints the name of the package.

const [file = ''] = process.argv.slice(2);
const { default: configurations } = await import(pathToFileURL(resolve(file)).href);
// One after another, because the first may empty a directory to which the others write.
for (const configuration of configurations) await build({ ...configuration, logLevel: 'warn' });
