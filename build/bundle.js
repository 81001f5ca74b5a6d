import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

// Bundles by the configuration that is named, and prints nothing but warnings, on stderr. Rolldown's own command lists every
// file on stdout, where `npm pack` prints the name of the package.

const [file = ''] = process.argv.slice(2);
const { default: configurations } = await import(pathToFileURL(resolve(file)).href);
// One after the other: the first empties the directory that all of them write to.
for (const configuration of configurations) await build({ ...configuration, logLevel: 'warn' });
