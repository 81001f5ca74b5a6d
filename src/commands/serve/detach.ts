import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { serverLogName } from '../../api/control/server-file.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, describeFileError, toInterruption, UsageError } from '../../errors/errors.js';
import { makeDirectory } from '../../platform/home-directory.js';
import { isStandalone } from '../../platform/version.js';
import { signalNumber } from './child.js';
import { chosenDataDirectory, type ServeFlags, sharedDatabase } from './options.js';

/** Marks the process in the background, which writes the ready line to stdout even without -o json. */
const startedVariable = 'ORGCTL_STARTED_BY_DETACH';

export function isStartedByDetach({ system }: Context): boolean {
  return Boolean(system.env[startedVariable]);
}

/** Starts the same command line in the background, with the log as its stderr; if it fails, ends with its exit code. */
export async function detachServer(flags: ServeFlags, isJson: boolean, context: Context): Promise<void> {
  const { system, signal, streams, exitWith } = context;
  if (system.platform === 'win32') throw new UsageError('--detach is not available on Windows');
  if (sharedDatabase(flags, context) !== undefined)
    throw new UsageError('--detach and a shared database cannot be combined');
  const log = openLogFile(chosenDataDirectory(flags.data, context));
  const [program = '', script = '', ...args] = system.argv;
  const env = { ...system.env, [startedVariable]: '1' };
  const child = spawn(program, isStandalone() ? args : [script, ...args], {
    ...{ cwd: system.cwd(), env, detached: true },
    stdio: ['ignore', 'pipe', log.file],
  });
  const stdout = child.stdout ?? Readable.from([]);
  closeSync(log.file);
  const ended = once(child, 'exit');
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  const [line] = await Promise.race([once(createInterface(stdout), 'line'), ended.then(() => [])]);
  signal.removeEventListener('abort', end);
  const written = () => streams.stderr.write(readFileSync(log.path).subarray(log.size).toString());
  if (line === undefined || signal.aborted) {
    const [code, name] = await ended;
    if (signal.aborted) throw toInterruption(signal);
    await written();
    return exitWith(typeof code === 'number' ? code : 128 + signalNumber(name));
  }
  // An open pipe would keep this process from ending.
  stdout.destroy();
  child.unref();
  await written();
  if (isJson) return streams.stdout.write(`${line}\n`);
  const ready: { readonly url: string } = JSON.parse(String(line));
  const text = `orgctl serve is ready.\n  address  ${ready.url}\n  log      ${log.path}\n`;
  await streams.stderr.write(text);
  await context.note('show the secret', ['orgctl', 'local', 'key']);
  await context.note('stop it', ['orgctl', 'local', 'stop']);
}

function openLogFile(data: string) {
  const path = join(data, serverLogName);
  try {
    makeDirectory(data);
    const file = openSync(path, 'a', 0o600);
    chmodSync(path, 0o600);
    return { path, file, size: statSync(path).size };
  } catch (cause) {
    throw new ConfigError(`${path}: ${describeFileError(cause)}`, {
      hint: 'choose with --data a directory that you can write to',
      cause,
    });
  }
}
