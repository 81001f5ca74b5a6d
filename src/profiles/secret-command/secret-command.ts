import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Writable } from 'node:stream';
import {
  ConfigError,
  OrgctlError,
  readMessage,
  readSystemCode,
  toInterruption,
} from '../../errors/errors.js';
import type { SecretCommand } from '../file/profile-file.js';
import { decodeSecret } from '../settings/secret-text.js';
import type { SettingsEnvironment } from '../settings/settings.js';
import { endProcessTree } from './end-process-tree.js';
import { ownSecrets, withoutVariables } from './own-secrets.js';
import { makeInvocation } from './secret-command-line.js';

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

const commandTimeout = 10_000;

/** Bytes; many times a secret's length. */
const maxOutput = 64 * 1024;

/**
 * Runs a command and returns its output minus one trailing newline. The command does not inherit stdin, because that is
 * meant for orgctl, but it can prompt on the terminal. Its environment lacks orgctl's secrets.
 * @throws InterruptedError after a signal; ConfigError if the command fails, prints nothing, too much or an unusable
 * secret, or takes too long. Messages quote neither the command nor its output, which may be secret
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
  if (options.signal?.aborted) throw toInterruption(options.signal);
  const { spawn } = await import('node:child_process');
  const { file, args, shell } = makeInvocation(command, options.platform);
  try {
    const env = withoutVariables(options.env, ownSecrets, options.platform);
    const child = spawn(file, args, { shell, env, windowsHide: true });
    child.stderr.pipe(options.stderr, { end: false });
    // A command may end without reading its input; the exit code shows whether it failed.
    child.stdin.on('error', () => undefined).end(input);
    return await collectOutput(child, options);
  } catch (error) {
    if (error instanceof OrgctlError) throw error;
    throw commandFailure(
      options,
      `could not be started (${readSystemCode(error) ?? readMessage(error)})`,
      error,
    );
  }
}

function collectOutput(
  child: ChildProcessWithoutNullStreams,
  options: SecretCommandOptions,
): Promise<Buffer> {
  const limit = options.timeout ?? commandTimeout;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    // Closes the pipes, because processes that outlive the command may hold them open.
    const giveUp = (error: OrgctlError) => {
      // After the command has ended, its ID may belong to another process.
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        endProcessTree(child.pid, options.platform);
      }
      child.stdout.destroy();
      child.stderr.destroy();
      reject(error);
    };
    const interrupt = () => giveUp(toInterruption(options.signal));
    setTimeout(
      () => giveUp(commandFailure(options, `did not finish within ${limit / 1000} s`)),
      limit,
    ).unref();
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxOutput) giveUp(commandFailure(options, `printed more than ${maxOutput} bytes`));
    });
    child.on('error', reject);
    // Ctrl-C reaches the command too, but a shell that is just starting a program may miss it.
    options.signal?.addEventListener('abort', interrupt, { once: true });
    // Unlike `close`, `exit` does not wait for the command's children. Shells may report Ctrl-C as exit code 130.
    child.on('exit', (code, signal) => {
      if (signal === 'SIGINT' || code === 130) interrupt();
    });
    child.on('close', (code, signal) => {
      options.signal?.removeEventListener('abort', interrupt);
      if (code === 0) resolve(Buffer.concat(chunks));
      else
        reject(commandFailure(options, signal ? `was terminated by ${signal}` : `exited with code ${code}`));
    });
  });
}

function commandFailure(options: SecretCommandOptions, what: string, cause?: unknown): ConfigError {
  return new ConfigError(`the secret command of ${options.owner} ${what}`, {
    hint: options.hint ?? 'run the command by itself; it must print the secret and nothing else',
    cause,
  });
}
