/**
 * What a user would pick instead, as ratios of one run: for a request a shell script of openssl and curl, for a
 * service json-server, which npm installs into a temporary directory. Where one of them is not to be had, its row
 * says so.
 *
 *   npm run bench:alternatives -- [--pairs N] [--seconds N] [--json]
 */
import { fileURLToPath } from 'node:url';
import { timeToExit } from './child.js';
import { whenStarted } from './command-line.js';
import { type Comparison, compare, row } from './comparison.js';
import { inTurn } from './figures.js';
import { beside } from './json-server.js';
import { firstLine, orgctl, type Service, withService } from './service.js';

const bashRequest = fileURLToPath(new URL('bash-request.sh', import.meta.url));

export interface AlternativesOptions {
  /** Of requests; of servers a quarter as many. */
  readonly pairs: number;
  /** Of load on each server, each time. */
  readonly seconds: number;
}

/** A request against a shell script, and the service against json-server. */
export function alternatives({ pairs, seconds }: AlternativesOptions): Promise<Comparison[]> {
  return withService([], async (service) => [
    await besideShell(service, pairs),
    ...(await beside(service.directory, { rounds: Math.ceil(pairs / 4), seconds })),
  ]);
}

async function besideShell({ env }: Service, pairs: number): Promise<Comparison> {
  const name = 'orgctl quotas -o json';
  const own = () => timeToExit([orgctl, 'quotas', '-o', 'json'], env);
  // Nothing but the way to the programs is the caller's.
  const inShell = { ...env, PATH: process.env['PATH'] ?? '' };
  const shell = () => timeToExit([bashRequest], inShell, 'bash');
  const missing = await shell().then(() => undefined, firstLine);
  if (missing === undefined)
    return compare(name, own, { name: 'bash, openssl, curl', measure: shell }, { pairs });
  const of = await inTurn(pairs, { own });
  return row(name, of('own'), { note: `not beside bash, openssl, curl: ${missing}` });
}

await whenStarted(import.meta.url, { pairs: 11, seconds: 3 }, alternatives);
