import type { Engine } from '../storage/engine.js';
import { openSqlite } from '../storage/sqlite/engine.js';

/**
 * Opens the shared database where there is one, or else the embedded one at a path. The driver of the former is read only
 * when it is needed.
 * @throws ConfigError when it cannot be opened.
 */
export async function openEngine(path: string, shared: string | undefined): Promise<Engine> {
  if (shared === undefined) return openSqlite(path);
  const { openPostgres } = await import('../storage/postgres/engine.js');
  return openPostgres(shared);
}
