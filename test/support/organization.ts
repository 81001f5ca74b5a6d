import { stringify } from 'yaml';
import type { RunningServer } from '../../src/server/index.js';
import { type Ended, runCli } from './run-cli.js';

export type Env = Record<string, string | undefined>;

/** An organization's file as text. */
export function organization(kinds: Readonly<Record<string, unknown>>): string {
  return stringify({ version: 1, ...kinds });
}

/** An entry of a PostgreSQL connection, whose password is in `APP_DB_PASSWORD`. */
export function entry(
  name: string,
  config: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
) {
  const password = { env: 'APP_DB_PASSWORD' };
  const settings = { host: 'db', port: 5432, database: 'app', user: 'app', password, ssl: true, ...config };
  return { name, type: 'postgresql', config: settings, ...more };
}

/** So many teams: `team-0`, `team-1` and so on. */
export function teams(count: number): { readonly name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `team-${index}` }));
}

/** Runs `apply - --yes -o json` on a file, and gives its rows too. */
export async function apply(file: string, env: Env, ...more: string[]) {
  const ended = await runCli(['apply', '-', '--yes', '-o', 'json', ...more], { env, stdin: file });
  return { ended, rows: rowsOf(ended) };
}

export function rowsOf({ stdout }: Ended): Record<string, unknown>[] {
  return stdout.trim() === '' ? [] : JSON.parse(stdout);
}

/** The plan that `diff - -o json` prints. */
export async function planOf(file: string, env: Env, ...more: string[]) {
  const ended = await runCli(['diff', '-', '-o', 'json', ...more], { env, stdin: file });
  return { ended, plan: ended.stdout === '' ? undefined : JSON.parse(ended.stdout) };
}

/** What a command line lists as JSON. */
export async function listed(kind: string, env: Env): Promise<Record<string, unknown>[]> {
  const { stdout } = await runCli([kind, 'list', '--all', '-o', 'json'], { env });
  return JSON.parse(stdout);
}

/** By method, how many requests the server had while something was done. */
export async function requestsWhile(
  server: Pick<RunningServer, 'control'>,
  act: () => Promise<unknown>,
): Promise<Record<string, number>> {
  await server.control.journal.clear();
  await act();
  const counts: Record<string, number> = {};
  for (const { method } of await server.control.journal.get()) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}
