import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { z } from '../../src/api/schema/schema.js';
import type { ServerOptions } from '../../src/server/index.js';
import { root } from './built-tool.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** A script that changes the master key, to be killed. */
export const rotateScript = join(here, 'rotate-script.ts');

// Options as JSON; the error of a start that failed goes out as JSON too.
const serverScript = `
  import { startServer } from ${JSON.stringify(pathToFileURL(join(root, 'dist', 'server.js')))};
  const answer = await startServer(JSON.parse(process.argv[2])).then(
    (server) => {
      process.once('SIGTERM', () => void server.close());
      const { url, keyId, secret } = server;
      return { url, keyId, secret };
    },
    ({ name, message }) => ({ kind: name, message }),
  );
  process.stdout.write(JSON.stringify(answer) + '\\n');`;

/** Writes the script of server processes, which run the build, into a directory; its path. */
export function writeServerScript(directory: string): string {
  const path = join(directory, 'server-script.mjs');
  writeFileSync(path, serverScript);
  return path;
}

/** Bundles a script with the sources it uses into a directory, so that processes of it start quickly; its path. */
export async function bundleScript(directory: string, input: string): Promise<string> {
  await build({
    input,
    platform: 'node',
    external: ['libsql'],
    // A bundle has no package.json beside it.
    transform: { define: { ORGCTL_VERSION: '"bundled"' } },
    logLevel: 'silent',
    output: { dir: directory, format: 'esm' },
  });
  await symlink(join(here, '../../node_modules'), join(directory, 'node_modules'));
  return join(directory, `${basename(input, '.ts')}.js`);
}

const startSchema = z.union([
  z.object({ url: z.string(), keyId: z.string(), secret: z.string() }),
  z.object({ kind: z.string(), message: z.string() }),
]);
type Start = z.output<typeof startSchema>;

export interface ProcessLimits {
  /** Bytes that no file can grow over: to the process, a disk that is full. */
  readonly fileSize?: number;
  /** The user to run as. */
  readonly uid?: number;
}

/** A server in a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  /** What it started with, or why it did not start. */
  readonly start: Start;

  private constructor(child: ChildProcess, start: Start) {
    this.#child = child;
    this.#exit =
      child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve();
    this.start = start;
  }

  static async open(
    script: string,
    options: ServerOptions,
    { fileSize, uid }: ProcessLimits = {},
  ): Promise<ServerProcess> {
    const command = [process.execPath, script, JSON.stringify({ http: true, ...options })];
    const [file = '', ...args] = fileSize === undefined ? command : limited(command, fileSize);
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid !== undefined && { uid }),
    });
    for await (const line of createInterface(child.stdout)) {
      return new ServerProcess(child, z.parse(startSchema, JSON.parse(line)));
    }
    throw new Error('the server process ended without a line');
  }

  /** Where it answers, and its first key. */
  get server(): { url: string; keyId: string; secret: string } {
    if (!('url' in this.start)) throw new Error(this.start.message);
    return this.start;
  }

  /** `SIGSTOP` has it hang, and `SIGCONT` go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Sends the signal and waits for the end. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#exit;
  }
}

/** POSIX: `ulimit -f` counts in blocks of 512 bytes. */
function limited(command: readonly string[], fileSize: number): string[] {
  return ['sh', '-c', `ulimit -f ${Math.floor(fileSize / 512)} && exec "$@"`, 'sh', ...command];
}
