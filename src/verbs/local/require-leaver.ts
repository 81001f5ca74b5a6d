import { statSync } from 'node:fs';
import type { ControlClient } from '../../client/control-client.js';
import { ServiceError } from '../../errors/errors.js';
import type { FoundServer } from './find-server.js';
import { noServer } from './server-files.js';

/**
 * Makes sure that a server that was found by its file is the one that left it. The process of a killed server may have
 * its number again, and its port another program; a file may have been copied with its directory.
 *
 * @throws ConfigError when another one answers; otherwise as the call of its status
 */
export async function requireLeaver(
  control: Pick<ControlClient, 'status'>,
  { address, left }: FoundServer,
): Promise<void> {
  if (left === undefined) return;
  const { data, file } = left;
  const status = await control.status().catch((error: unknown) => {
    if (!(error instanceof ServiceError) || (error.details.status ?? 0) >= 500) throw error;
    throw noServer(data, `another server answers at ${address.origin}`, error);
  });
  const isSame = status.pid === file.pid && status.startedAt === file.startedAt;
  if (!isSame) throw noServer(data, `another server answers at ${address.origin}`);
  // A version that had one file for all servers may have left that of another store.
  if (status.database !== file.database) {
    throw noServer(
      data,
      `the server at ${address.origin} has its data in ${status.database ?? status.data ?? 'memory'}`,
    );
  }
  if (status.data !== undefined && !isSameDirectory(status.data, data)) {
    throw noServer(data, `the server at ${address.origin} runs on ${status.data}`);
  }
}

/** By what it is, not by its name: a link may lead to it. */
function isSameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
