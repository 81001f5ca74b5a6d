import type { ExecFileException } from 'node:child_process';
import type { Writable } from 'node:stream';
import { ConfigError, OrgctlError, toInterruption } from '../../errors/errors.js';
import type { SecretCommand } from '../file/parse-profile-file.js';
import { decodeSecret } from '../settings/secret.js';
import { ownSecrets, type SettingsEnvironment, withoutVariables } from '../settings/settings.js';

export interface SecretCommandOptions {
  readonly owner: string;
  readonly env: SettingsEnvironment;
  readonly stderr: Writable;
  /** Milliseconds; default: 10 s. */
  readonly timeout?: number | undefined;
  readonly hint?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the printed secret. @throws as `callSecretCommand`, also if there is none */
export async function runSecretCommand(
  command: SecretCommand,
  options: SecretCommandOptions,
): Promise<string> {
  const refuse = (what: string, cause?: unknown) =>
    commandFailure(options, `printed a secret that ${what}`, cause);
  const secret = decodeSecret(await callSecretCommand(command, options), refuse);
  if (secret === '') throw commandFailure(options, 'printed nothing');
  return secret;
}

/**
 * Runs a command (a string: in the shell), and returns its output. It can prompt on the terminal, but inherits neither stdin
 * nor orgctl's secrets. @throws InterruptedError after a signal; ConfigError, which quotes neither command nor output
 */
export async function callSecretCommand(
  command: SecretCommand,
  options: SecretCommandOptions,
  input?: string,
): Promise<Buffer> {
  const { timeout = 10_000, signal } = options;
  if (signal?.aborted) throw toInterruption(signal);
  const { execFile } = await import('node:child_process');
  const shell = typeof command === 'string';
  const [file = '', ...args] = shell ? [command] : command;
  const env = withoutVariables(options.env, ownSecrets);
  const limits = { timeout, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, signal } as const;
  const settings = { ...limits, env, shell, windowsHide: true, encoding: 'buffer' } as const;
  return new Promise<Buffer>((resolve, reject) => {
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
    // Node's message would quote the command.
    const end =
      typeof error.code === 'number'
        ? `exited with code ${error.code}`
        : `failed (${error.signal ?? error.code})`;
    throw commandFailure(options, error.killed ? 'did not finish in time' : end, error);
  });
}

function commandFailure(options: SecretCommandOptions, what: string, cause?: unknown): ConfigError {
  const { owner, hint = 'run the command by itself; it must print the secret and nothing else' } = options;
  return new ConfigError(`the secret command of ${owner} ${what}`, { hint, cause });
}
