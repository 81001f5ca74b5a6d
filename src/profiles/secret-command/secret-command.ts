import type { ExecFileException } from 'node:child_process';
import type { Writable } from 'node:stream';
import { ConfigError, OrgctlError, toInterruption } from '../../errors/errors.js';
import type { SecretCommand } from '../file/parse-profile-file.js';
import { decodeSecret } from '../settings/secret-text.js';
import type { SettingsEnvironment } from '../settings/settings.js';
import { ownSecrets, withoutVariables } from './own-secrets.js';

export interface SecretCommandOptions {
  readonly owner: string;
  readonly env: SettingsEnvironment;
  readonly platform: NodeJS.Platform;
  readonly stderr: Writable;
  /** Milliseconds; default: 10 s. */
  readonly timeout?: number | undefined;
  readonly hint?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes; many times a secret's length. */
const maxBuffer = 64 * 1024;

/**
 * Runs a command and returns its output minus one trailing newline. A line is for the shell. The command does not
 * inherit stdin, because that is meant for orgctl, but it can prompt on the terminal. Its environment lacks orgctl's
 * secrets. After too long it is killed, but not what it has started.
 * @throws InterruptedError after a signal; ConfigError otherwise, which quotes neither command nor output
 */
export async function runSecretCommand(
  command: SecretCommand,
  options: SecretCommandOptions,
): Promise<string> {
  const secret = decodeSecret(await runForOutput(command, options), (what, cause) =>
    commandFailure(options, `printed a secret that ${what}`, cause),
  );
  if (secret === '') throw commandFailure(options, 'printed nothing');
  return secret;
}

/** Passes a secret to a command on its stdin. @throws as `runSecretCommand`, but the command may print nothing */
export async function feedSecretCommand(
  command: SecretCommand,
  secret: string,
  options: SecretCommandOptions,
): Promise<void> {
  await runForOutput(command, options, secret);
}

async function runForOutput(
  command: SecretCommand,
  options: SecretCommandOptions,
  input?: string,
): Promise<Buffer> {
  const { timeout = 10_000, signal } = options;
  if (signal?.aborted) throw toInterruption(signal);
  const { execFile } = await import('node:child_process');
  const shell = typeof command === 'string';
  const [file = '', ...args] = shell ? [command] : command;
  const env = withoutVariables(options.env, ownSecrets, options.platform);
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer, signal } as const;
  return new Promise<Buffer>((resolve, reject) => {
    const settings = { ...limits, env, shell, windowsHide: true, encoding: 'buffer' } as const;
    const child = execFile(file, args, settings, (error, stdout) => {
      if (error === null) return resolve(stdout);
      // Ctrl-C reaches the command, too. Shells may report it as exit code 130.
      const isInterrupted = signal?.aborted || error.signal === 'SIGINT' || error.code === 130;
      reject(isInterrupted ? toInterruption(signal) : error);
    });
    child.stderr?.pipe(options.stderr, { end: false });
    // A command may end without reading its input; the exit code shows whether it failed.
    child.stdin?.on('error', () => undefined).end(input);
  }).catch((error: ExecFileException) => {
    if (error instanceof OrgctlError) throw error;
    throw commandFailure(options, explainEnd(error, timeout), error);
  });
}

/** Node's message would quote the command. */
function explainEnd({ code, signal, killed }: ExecFileException, timeout: number): string {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${maxBuffer} bytes`;
  if (killed) return `did not finish within ${timeout / 1000} s`;
  if (signal) return `was terminated by ${signal}`;
  return typeof code === 'number' ? `exited with code ${code}` : `could not be started (${code})`;
}

function commandFailure(options: SecretCommandOptions, what: string, cause?: unknown): ConfigError {
  const { owner, hint = 'run the command by itself; it must print the secret and nothing else' } = options;
  return new ConfigError(`the secret command of ${owner} ${what}`, { hint, cause });
}
