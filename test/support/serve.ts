import { expect } from 'vitest';
// Loaded before the first test, and not while its time runs.
import '../../src/client/transport/transport.js';
import '../../src/server/index.js';
import { type Ended, emptyEnvironment, runCli, startCli } from './run-cli.js';
import { serviceEnvironment } from './service.js';

/** What the ready line tells, as far as tests call it by name. */
export interface Ready {
  readonly url: string;
  readonly caFile: string;
  readonly keyId: string;
  readonly secret: string;
  readonly organization: string;
  readonly data: string;
  readonly controlToken: string;
  readonly console?: string;
}

export interface Serving {
  readonly ready: Ready;
  /** Ends the server as SIGTERM does. */
  stop(): Promise<Ended>;
}

/** Starts `orgctl serve -o json` on a free port, without a console unless `args` say where, and waits for its ready line. */
export async function startServe(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = emptyEnvironment(),
): Promise<Serving> {
  // Its own port may be taken by another test, which would be noted on stderr.
  const noConsole = args.includes('--console-port') ? [] : ['--no-console'];
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const { system, ended } = startCli(['serve', ...port, '-o', 'json', ...noConsole, ...args], { env });
  const early = ended.then(({ stderr }) => {
    throw new Error(`serve ended: ${stderr}`);
  });
  await Promise.race([expect.poll(() => system.stdoutText()).toContain('\n'), early]);
  early.catch(() => undefined);
  return {
    ready: JSON.parse(system.stdoutText()),
    async stop() {
      system.raise('SIGTERM');
      return ended;
    },
  };
}

/** Runs a command line with the credentials of a server that a test started. */
export function runWith(
  ready: Omit<Ready, 'caFile'> & { readonly caFile?: string | undefined },
  args: readonly string[],
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Ended> {
  return runCli(args, { env: { ...emptyEnvironment(), ...serviceEnvironment(ready), ...changes } });
}
