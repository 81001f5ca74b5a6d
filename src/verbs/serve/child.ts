import type { ChildProcess, StdioOptions } from 'node:child_process';
import { constants } from 'node:os';
import { controlPath } from '../../api/control/calls.js';
import type { Context } from '../../cli/context.js';
import { InterruptedError, readMessage, readSystemCode, UsageError } from '../../errors/errors.js';
import { serverSecrets, withoutVariables } from '../../profiles/secret-command/own-secrets.js';
import { secretFileVariable } from '../../profiles/settings/secret-file.js';
import type { RunningServer } from '../../server/index.js';
import { endSignals } from '../../terminal/process/system.js';

const ofDatabase = ['PGPASSWORD', 'PGPASSFILE'];

/** The command's environment: without the server's own secrets, but with its address, key and control token. */
export function childEnvironment(
  { env, platform }: Pick<Context['system'], 'env' | 'platform'>,
  server: RunningServer,
): Record<string, string | undefined> {
  // ORGCTL_SECRET_FILE would conflict with ORGCTL_SECRET below.
  const own = [...serverSecrets, secretFileVariable];
  const secrets = server.database === undefined ? own : [...own, ...ofDatabase];
  const trust: Record<string, string> =
    server.caFile === undefined ? {} : { ORGCTL_CA_FILE: server.caFile, NODE_EXTRA_CA_CERTS: server.caFile };
  return {
    ...withoutVariables(env, secrets, platform),
    ORGCTL_BASE_URL: server.url,
    ORGCTL_KEY_ID: server.keyId,
    ORGCTL_SECRET: server.secret,
    ORGCTL_CONTROL_URL: controlUrl(server),
    ORGCTL_CONTROL_TOKEN: server.controlToken,
    ...trust,
  };
}

function controlUrl({ url }: RunningServer): string {
  return new URL(controlPath, url).href;
}

/**
 * Runs a command and returns its exit code; 128 + n after signal n, as in shells. Passes on signals that end orgctl,
 * and waits for the command to end.
 * @throws UsageError with exit code 126 or 127, as in shells, if the command cannot be started
 */
export async function runChild(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  context: Pick<Context, 'system' | 'signal'>,
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const { system, signal } = context;
  signal.throwIfAborted();
  const stdio: StdioOptions = [own(system.stdin), own(system.stdout), own(system.stderr)];
  const child = spawn(file, args, {
    cwd: system.cwd(),
    env,
    stdio,
  });
  child.stdout?.pipe(system.stdout, { end: false });
  child.stderr?.pipe(system.stderr, { end: false });
  const stopPassing = passSignalsOn(child, context);
  try {
    return await waitForExit(child, file);
  } finally {
    stopPassing();
  }
}

function passSignalsOn(child: ChildProcess, { system, signal }: Pick<Context, 'system' | 'signal'>) {
  const listeners = endSignals.map((name) => {
    // A terminal itself sends Ctrl-C to the command; Windows has no SIGHUP to send.
    const listener = () => {
      if (name === 'SIGINT' && isOnTerminal(system)) return;
      child.kill(name === 'SIGHUP' && system.platform === 'win32' ? 'SIGTERM' : name);
    };
    system.on(name, listener);
    return { name, listener };
  });
  // An abort without a signal means that the reader of stdout has gone.
  const onAbort = () => {
    if (!(signal.reason instanceof InterruptedError)) child.kill('SIGTERM');
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    for (const { name, listener } of listeners) system.off(name, listener);
    signal.removeEventListener('abort', onAbort);
  };
}

function isOnTerminal({ stdin, stdout, stderr }: Context['system']): boolean {
  return [stdin, stdout, stderr].some(({ isTTY }) => isTTY === true);
}

// The command inherits descriptors, so that it sees the terminal; streams in memory are piped.
function own(stream: object): 'inherit' | 'pipe' | number {
  return 'fd' in stream && typeof stream.fd === 'number' ? stream.fd : 'pipe';
}

function waitForExit(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      reject(cannotStart(file, error));
    });
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

function cannotStart(file: string, cause: Error): UsageError {
  if (readSystemCode(cause) === 'ENOENT') {
    return new UsageError(`${file}: command not found`, { exitCode: 127, cause });
  }
  const reason = readSystemCode(cause) ?? readMessage(cause);
  return new UsageError(`${file}: the command cannot be run (${reason})`, {
    exitCode: 126,
    hint: `is it an executable program? chmod +x ${file}`,
    cause,
  });
}
