import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serverLogName } from '../../api/control/control.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, describeFileError, toInterruption, UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { isStandalone } from '../../platform/version.js';
import { parseJson } from '../../text/exact-json.js';
import { signalNumber } from './child.js';
import type { ServeFlags } from './options.js';

/** Marks the process in the background, which writes what it has to show when it is ready to stdout, as one JSON line. */
const startedVariable = 'ORGCTL_STARTED_BY_DETACH';

export function isStartedByDetach({ system }: Context): boolean {
  return Boolean(system.env[startedVariable]);
}

/**
 * Starts the same command line in the background, with the log as its stderr, and shows what it shows when it is ready.
 * If it ends before that, shows what it logged, and ends with its exit code.
 * @throws UsageError for an unsuitable option; InterruptedError, after stopping the background process
 */
export async function detachServer(
  flags: ServeFlags,
  hasCommand: boolean,
  { system, home, signal, settings, streams, exitWith }: Context,
): Promise<void> {
  assertDetachable(flags, hasCommand, system);
  const log = openLogFile(chosenDataDirectory(flags.data, { system, home }));
  const [program = '', script = '', ...args] = system.argv;
  const child = spawn(program, isStandalone() ? args : [script, ...args], {
    cwd: system.cwd(),
    env: { ...system.env, [startedVariable]: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', log.file],
  });
  closeSync(log.file);
  const ended = once(child, 'exit');
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  const ready = await readLine(child);
  signal.removeEventListener('abort', end);
  if (ready !== undefined && !signal.aborted) {
    child.unref();
    const { value: format } = await settings().output();
    const isJson = format === 'json' || format === 'jsonl';
    return (isJson ? streams.stdout : streams.stderr).write(String(parseJson(ready)));
  }
  const [code, name] = await ended;
  if (signal.aborted) throw toInterruption(signal);
  const exitCode = typeof code === 'number' ? code : 128 + signalNumber(name);
  const logged = readFileSync(log.path).subarray(log.size).toString();
  if (logged === '') {
    throw new ConfigError(`the server ended before it was ready (exit code ${exitCode})`, {
      hint: 'orgctl serve, without --detach, shows more',
    });
  }
  await streams.stderr.write(logged);
  exitWith(exitCode);
}

function assertDetachable(
  flags: ServeFlags,
  hasCommand: boolean,
  { platform, env }: Context['system'],
): void {
  if (platform === 'win32') {
    throw new UsageError('--detach is not available on Windows', {
      hint: 'Start-Process -WindowStyle Hidden orgctl serve',
    });
  }
  if (hasCommand) throw new UsageError('--detach and a command cannot be combined');
  if (!flags.ephemeral && flags.database === undefined && !env['ORGCTL_SERVE_DATABASE']) return;
  const other = flags.ephemeral ? '--ephemeral' : 'a shared database';
  throw new UsageError(
    `--detach and ${other} cannot be combined: orgctl local finds a server by its data directory`,
    { hint: 'orgctl serve --detach --data DIR' },
  );
}

/** Bytes; a larger log is moved before the next start. */
const maxLog = 1024 * 1024;

/** Opens the log (0600), to which the server appends. @throws ConfigError */
function openLogFile(data: string) {
  const path = join(data, serverLogName);
  try {
    makeDirectory(data);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLog) renameSync(path, `${path}.1`);
    const file = openSync(path, 'a', 0o600);
    chmodSync(path, 0o600);
    return { path, file, size: statSync(path).size };
  } catch (error) {
    throw new ConfigError(`${showPath(path)}: ${describeFileError(error)}`, {
      hint: 'choose a directory that you can write to with --data',
      cause: error,
    });
  }
}

async function readLine({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  // An open pipe would keep this process from ending.
  for await (const line of createInterface(stdout)) {
    stdout.destroy();
    return line;
  }
  return undefined;
}
