/**
 * Compares orgctl with what a user might choose instead: a shell script with openssl and curl for a request, and
 * json-server, which npm installs into a temporary directory, for the service. If one is not available, a note says so.
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
  /** Pairs of requests; there are a quarter as many rounds of servers. */
  readonly pairs: number;
  /** Duration of each load on a server. */
  readonly seconds: number;
}

export function alternatives({ pairs, seconds }: AlternativesOptions): Promise<Comparison[]> {
  return withService([], async (service) => [
    await besideShell(service, pairs),
    ...(await beside(service.directory, { rounds: Math.ceil(pairs / 4), seconds })),
  ]);
}

async function besideShell({ env }: Service, pairs: number): Promise<Comparison> {
  const name = 'orgctl quotas -o json';
  const own = () => timeToExit([orgctl, 'quotas', '-o', 'json'], env);
  // Only PATH comes from the caller's environment.
  const inShell = { ...env, PATH: process.env['PATH'] ?? '' };
  const shell = () => timeToExit([bashRequest], inShell, 'bash');
  const missing = await shell().then(() => undefined, firstLine);
  if (missing === undefined)
    return compare(name, own, { name: 'bash, openssl, curl', measure: shell }, { pairs });
  const of = await inTurn(pairs, { own });
  return row(name, of('own'), { note: `not compared with bash, openssl, curl: ${missing}` });
}

await whenStarted(import.meta.url, { pairs: 11, seconds: 3 }, alternatives);
