import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serverLogName } from '../../api/control/control.js';
import { isResource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { ConfigError, describeFileError, toInterruption, UsageError } from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { showPath } from '../../platform/home-directory.js';
import { makeDirectory } from '../../platform/make-directory.js';
import { isStandalone } from '../../platform/version.js';
import { parseJson } from '../../text/exact-json.js';
import type { ServeFlags } from './flags.js';

type DetachContext = Pick<Context, 'system' | 'home' | 'signal' | 'settings' | 'streams' | 'exitWith'>;

/** Marks the background process, which writes its banner or error to stdout as one JSON line. */
const startedVariable = 'ORGCTL_STARTED_BY_DETACH';

export function isStartedByDetach({ system }: Pick<Context, 'system'>): boolean {
  return Boolean(system.env[startedVariable]);
}

/**
 * Starts the same command line in the background. Relays its messages, and its ready output or exit code.
 * @throws UsageError for an unsuitable option; InterruptedError, after stopping the background process
 */
export async function detachServer(
  flags: ServeFlags,
  command: readonly string[],
  context: DetachContext,
): Promise<void> {
  assertDetachable(flags, command, context);
  const { streams, settings } = context;
  const { value: format } = await settings().output();
  const log = await openServerLog(chosenDataDirectory(flags.data, context));
  try {
    const { size: start } = await log.stat();
    const child = await startDetached(context, log);
    const { ready, failure = '', exitCode } = await waitUntilReady(child, context);
    const logged = await readFrom(log, start);
    const messages = logged.includes(failure) ? logged : `${logged}${failure}`;
    if (messages !== '') await streams.stderr.write(messages);
    if (ready === undefined) return endAs(exitCode, messages, context);
    const isJson = format === 'json' || format === 'jsonl';
    await (isJson ? streams.stdout : streams.stderr).write(ready);
  } finally {
    await log.close();
  }
}

function assertDetachable(
  { ephemeral, database }: ServeFlags,
  command: readonly string[],
  { system }: Pick<Context, 'system'>,
): void {
  if (system.platform === 'win32') {
    throw new UsageError('--detach is not available on Windows', {
      hint: 'Start-Process -WindowStyle Hidden orgctl serve',
    });
  }
  if (command.length > 0) throw new UsageError('--detach and a command cannot be combined');
  if (ephemeral || database !== undefined || system.env['ORGCTL_SERVE_DATABASE']) {
    const other = ephemeral ? '--ephemeral' : 'a shared database';
    throw new UsageError(
      `--detach and ${other} cannot be combined: orgctl local finds a server by its data directory`,
      {
        hint: 'orgctl serve --detach --data DIR',
      },
    );
  }
}

/** Opens the log for reading here and appending by the server; creates it with mode 0600. @throws ConfigError */
async function openServerLog(data: string): Promise<FileHandle> {
  const path = join(data, serverLogName);
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    makeDirectory(data);
    const log = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if ((await log.stat()).isFile()) {
      await log.chmod(0o600);
      return log;
    }
    await log.close();
  } catch (error) {
    throw new ConfigError(`${showPath(path)}: ${describeFileError(error)}`, {
      hint: 'choose a directory that you can write to with --data',
      cause: error,
    });
  }
  throw new ConfigError(`${path} is not a regular file`);
}

async function startDetached({ system }: Pick<Context, 'system'>, log: FileHandle): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const [program = '', script = '', ...args] = system.argv;
  const own = isStandalone() ? args : [script, ...args];
  const child = spawn(program, own, {
    cwd: system.cwd(),
    env: { ...system.env, [startedVariable]: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', log.fd],
  });
  await once(child, 'spawn');
  return child;
}

interface Outcome {
  readonly ready?: string;
  /** The error's text, which a full disk may keep out of the log. */
  readonly failure?: string;
  readonly exitCode: number;
}

async function waitUntilReady(child: ChildProcess, { signal }: Pick<Context, 'signal'>): Promise<Outcome> {
  const ended = once(child, 'exit');
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const line = await readLine(child);
    if (signal.aborted) {
      await ended;
      throw toInterruption(signal);
    }
    const told = line === undefined ? undefined : parseJson(line);
    if (typeof told === 'string') {
      child.unref();
      return { ready: told, exitCode: 0 };
    }
    const [code, name] = await ended;
    const failure = isResource(told) ? String(told['failure']) : undefined;
    return {
      ...(failure !== undefined && { failure }),
      exitCode: typeof code === 'number' ? code : 128 + signalNumber(name),
    };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function signalNumber(name: unknown): number {
  return Object.entries(osConstants.signals).find(([known]) => known === name)?.[1] ?? 0;
}

async function readLine({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  let read = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    read += String(chunk);
    if (read.endsWith('\n')) return read;
  }
  return undefined;
}

function readFrom(log: FileHandle, start: number): Promise<string> {
  return text(log.createReadStream({ start, autoClose: false }));
}

/** Sends the text of the error to `waitUntilReady`. @returns the exit code */
export async function relayFailure(
  error: unknown,
  { streams, settings }: Pick<Context, 'streams' | 'settings'>,
): Promise<number> {
  const { errorText } = await import('../../cli/error-text.js');
  const { toReport } = await import('../../cli/error-report.js');
  const { value: format } = await settings().output();
  const json = format === 'json' || format === 'jsonl';
  const failure = await errorText(error, { json, color: false, verbose: false });
  await streams.stdout.write(`${JSON.stringify({ failure })}\n`);
  return toReport(error).exitCode;
}

function endAs(exitCode: number, messages: string, { exitWith }: Pick<Context, 'exitWith'>): void {
  if (messages !== '') {
    exitWith(exitCode);
    return;
  }
  throw new ConfigError(`the server ended before it was ready (exit code ${exitCode})`, {
    hint: 'orgctl serve, without --detach, shows more',
  });
}
