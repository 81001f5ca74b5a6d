import { statSync } from 'node:fs';
import type { ControlClient } from '../../client/control-client.js';
import { ServiceError } from '../../errors/errors.js';
import type { FoundServer } from './find-server.js';
import { noServer } from './server-files.js';

/** Process IDs and ports are reused, so the server must identify itself. @throws ConfigError for another server */
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
  if (status.data !== undefined && !isSameDirectory(status.data, data)) {
    throw noServer(data, `the server at ${address.origin} runs on ${status.data}`);
  }
}

/** Compares device and inode, because paths may contain links. */
function isSameDirectory(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
