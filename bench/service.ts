import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from '../src/contract/schema.js';
import { type Environment, startChild } from './child.js';

/** The built tool. */
export const orgctl = fileURLToPath(new URL('../bin/orgctl.js', import.meta.url));

/** The ready line, as much of it as is used. */
export const readySchema = z.object({
  url: z.string(),
  caFile: z.string(),
  keyId: z.string(),
  secret: z.string(),
  pid: z.int(),
});

/** An embedded service of the bench's own. */
export interface Service extends z.output<typeof readySchema> {
  /** Of the bench's own too; gone afterwards. The service's data is in `data`. */
  readonly directory: string;
  readonly data: string;
  /** The environment of a client, with the credential. Nothing in it is the caller's own. */
  readonly env: Environment;
}

/** Nothing of the caller's own: Node 20 loads the file of NODE_EXTRA_CA_CERTS at every start, TLS or not. */
export function bareEnvironment(directory: string): Environment {
  return { HOME: directory, ORGCTL_CONFIG_DIR: join(directory, 'config') };
}

/** What went wrong, in one line. */
export function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line;
}

/** Runs `serve` on fresh data for as long as the work takes. */
export async function withService<Result>(
  flags: readonly string[],
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
  const data = join(directory, 'data');
  const bare = bareEnvironment(directory);
  const args = [orgctl, 'serve', '--data', data, '--port', '0', '--no-profile', '-o', 'json', ...flags];
  try {
    const server = await startChild(args, bare);
    try {
      const ready = z.parse(readySchema, JSON.parse(server.line));
      return await work({ ...ready, directory, data, env: { ...bare, ...credential(ready) } });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function credential({ url, caFile, keyId, secret }: z.output<typeof readySchema>): Environment {
  return { ORGCTL_BASE_URL: url, ORGCTL_CA_FILE: caFile, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: secret };
}
