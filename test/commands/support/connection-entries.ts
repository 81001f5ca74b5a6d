import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli, temporaryDirectory } from '../../support/run-cli.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The body of a valid connection. */
export function connection(name: string, config: Record<string, unknown> = {}) {
  return {
    name,
    type: 'postgresql',
    config: {
      host: 'db.example.com',
      port: 5432,
      database: 'app',
      user: 'app',
      password: 'hunter2',
      ssl: true,
      ...config,
    },
  };
}

/** So many valid connections: `app-0`, `app-1` and so on. */
export function connections(count: number, prefix = 'app') {
  return Array.from({ length: count }, (_, index) => connection(`${prefix}-${index}`));
}

/** Writes a file of its own directory and returns its path. */
export function fileOf(content: unknown, name = 'connections.json'): string {
  const path = join(temporaryDirectory(), name);
  const isText = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isText ? content : JSON.stringify(content, null, 2));
  return path;
}

export async function connectionExists(id: string, env: Env): Promise<boolean> {
  return (await runCli(['connections', 'get', id], { env })).code === 0;
}

/** Creates connections of these names and returns their IDs. */
export async function createConnections(env: Env, ...names: readonly string[]): Promise<string[]> {
  const args = ['connections', 'create', '--file', fileOf(names.map((name) => connection(name)))];
  return JSON.parse((await runCli([...args, '-o', 'json', '--query', '[].id'], { env })).stdout);
}
