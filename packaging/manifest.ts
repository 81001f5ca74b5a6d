import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly author: string;
}

const read: Manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));

/** Metadata of the packages, from package.json. */
export const manifest = { ...read, maintainer: read.author };
