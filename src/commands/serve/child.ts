import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { controlPath } from '../../api/control/calls.js';
import type { Context } from '../../cli/context.js';
import { InterruptedError, readMessage, readSystemCode, UsageError } from '../../errors/errors.js';
import { serverSecrets, settings, withoutVariables } from '../../profiles/settings/settings.js';
import type { RunningServer } from '../../server/index.js';
import { onEndSignal } from '../../terminal/process/system.js';

/** The command's environment: without the server's own secrets, but with its address, key and control token. */
export function childEnvironment({ system }: Context, server: RunningServer) {
  const { url, keyId, secret, caFile, controlToken, database } = server;
  // ORGCTL_SECRET_FILE would conflict with ORGCTL_SECRET below.
  const own = [...serverSecrets, settings.secretFile.env];
  const ofDatabase = database === undefined ? [] : ['PGPASSWORD', 'PGPASSFILE'];
  return {
    ...withoutVariables(system.env, [...own, ...ofDatabase]),
    ORGCTL_BASE_URL: url,
    ORGCTL_KEY_ID: keyId,
    ORGCTL_SECRET: secret,
    ORGCTL_CONTROL_URL: new URL(controlPath, url).href,
    ORGCTL_CONTROL_TOKEN: controlToken,
    ...(caFile !== undefined && { ORGCTL_CA_FILE: caFile, NODE_EXTRA_CA_CERTS: caFile }),
  };
}

/** Runs a command, and passes signals on. @returns its exit code, as in shells @throws UsageError with exit code 126 or 127 */
export async function runChild(
  [file, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  context: Context,
): Promise<number> {
  const { spawn } = await import('node:child_process');
  const { system, signal } = context;
  signal.throwIfAborted();
  const child = spawn(file, args, {
    cwd: system.cwd(),
    env,
    stdio: [inherited(system.stdin), inherited(system.stdout), inherited(system.stderr)],
  });
  child.stdout?.pipe(system.stdout, { end: false });
  child.stderr?.pipe(system.stderr, { end: false });
  const stopPassing = passSignalsOn(child, context);
  try {
    const [code, name] = await once(child, 'close');
    return typeof code === 'number' ? code : 128 + signalNumber(name);
  } catch (error) {
    throw cannotStart(file, error);
  } finally {
    stopPassing();
  }
}

export function signalNumber(name: unknown): number {
  return Object.entries(constants.signals).find(([known]) => known === name)?.[1] ?? 0;
}

function passSignalsOn(child: ChildProcess, { system, signal }: Context): () => void {
  const isOnTerminal = [system.stdin, system.stdout, system.stderr].some(({ isTTY }) => isTTY === true);
  const stop = onEndSignal(system, (name) => {
    // A terminal itself sends Ctrl-C to the command; Windows has no SIGHUP to send.
    if (name === 'SIGINT' && isOnTerminal) return;
    child.kill(name === 'SIGHUP' && system.platform === 'win32' ? 'SIGTERM' : name);
  });
  // An abort without a signal means that the reader of stdout has gone.
  const onAbort = () => {
    if (!(signal.reason instanceof InterruptedError)) child.kill('SIGTERM');
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    stop();
    signal.removeEventListener('abort', onAbort);
  };
}

// The command inherits descriptors, so that it sees the terminal; streams in memory are piped.
function inherited(stream: object): 'pipe' | number {
  return 'fd' in stream && typeof stream.fd === 'number' ? stream.fd : 'pipe';
}

function cannotStart(file: string, cause: unknown): UsageError {
  if (readSystemCode(cause) === 'ENOENT')
    return new UsageError(`${file}: command not found`, { exitCode: 127, cause });
  return new UsageError(`${file}: cannot be run (${readMessage(cause)})`, { exitCode: 126, cause });
}
