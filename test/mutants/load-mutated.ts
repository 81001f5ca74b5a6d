import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// What runs while a file is loaded has to be known as such before the first test: some files are loaded by a test only.
const root = join(import.meta.dirname, '../../src');
for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
  const path = join(root, name);
  if (path.endsWith('.ts') && readFileSync(path, 'utf8').includes('stryMutAct')) await import(path);
}
