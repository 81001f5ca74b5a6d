import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/run-cli.js';

/** So many connections: `app-0`, `app-1` and so on. */
export function connections(count: number) {
  const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'hunter2', ssl: true };
  return Array.from({ length: count }, (_, nth) => ({ name: `app-${nth}`, type: 'postgresql', config }));
}

/** Writes a file of its own directory and returns its path. */
export function fileOf(content: unknown, name = 'connections.json'): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return path;
}
