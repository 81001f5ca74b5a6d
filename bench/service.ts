import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from '../src/api/schema/schema.js';
import { type Environment, type RunningChild, startChild } from './child.js';

/** Path of the built tool. */
export const orgctl = fileURLToPath(new URL('../bin/orgctl.js', import.meta.url));

/** The fields of the ready line that benchmarks use. */
export const readySchema = z.object({
  url: z.string(),
  caFile: z.string(),
  keyId: z.string(),
  secret: z.string(),
  pid: z.int(),
});

/** An embedded service that runs for a benchmark. */
export interface Service extends Ready {
  /** Temporary directory; removed afterwards. */
  readonly directory: string;
  readonly data: string;
  /** A client's environment with the credential, and nothing of the caller's environment. */
  readonly env: Environment;
}

/** Has nothing of the caller's environment: Node 20 loads the file in NODE_EXTRA_CA_CERTS at every start. */
export function bareEnvironment(directory: string): Environment {
  return { HOME: directory, ORGCTL_CONFIG_DIR: join(directory, 'config') };
}

/** The first line of an error's message. */
export function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line;
}

export type Ready = z.output<typeof readySchema>;

/** Starts `serve` on a free port. */
export async function startServe(
  data: string,
  flags: readonly string[],
  env: Environment,
): Promise<RunningChild & { readonly ready: Ready }> {
  const usual = ['--data', data, '--port', '0', '--no-profile', '-o', 'json'];
  const server = await startChild([orgctl, 'serve', ...usual, ...flags], env);
  return { ...server, ready: z.parse(readySchema, JSON.parse(server.line)) };
}

/** Flags for `serve`, or a function that gets the temporary directory and returns them. */
type Flags = readonly string[] | ((directory: string) => Promise<readonly string[]>);

/**
 * Runs `work` with a running `serve`, on data from an earlier start: creating certificates leaves V8 with a larger
 * young generation, which usual starts do not have.
 */
export async function withService<Result>(
  flags: Flags,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
  const data = join(directory, 'data');
  const bare = bareEnvironment(directory);
  try {
    const own = typeof flags === 'function' ? await flags(directory) : flags;
    await (await startServe(data, own, bare)).stop();
    const server = await startServe(data, own, bare);
    try {
      const { ready } = server;
      return await work({ ...ready, directory, data, env: { ...bare, ...credential(ready) } });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function credential({ url, caFile, keyId, secret }: Ready): Environment {
  return { ORGCTL_BASE_URL: url, ORGCTL_CA_FILE: caFile, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: secret };
}
