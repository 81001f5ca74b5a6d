import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Context } from '../../cli/context.js';
import { fileSink, profileSink, type SecretSink } from '../../commands/api-keys/secret-sink.js';
import { ConfigError, readMessage, UsageError } from '../../errors/errors.js';
import { feedSecretCommand } from '../../profiles/secret-command/secret-command.js';
import type { SecretTarget } from '../declaration/organization-file.js';
import { type FileEntry, type FileProblem, nameEntry } from '../read/file-entry.js';

type SinkContext = Pick<Context, 'system' | 'profiles' | 'settings'>;

export interface TargetOptions {
  readonly directory: string;
  /** Time limit of a command, in milliseconds; default: 10 s. */
  readonly timeout?: number;
}

/** Opens secret targets. Checks, for example, that files are new, and their directories writable. */
export async function openTargets(
  entries: readonly FileEntry[],
  options: TargetOptions,
  context: SinkContext,
): Promise<{
  readonly targets: ReadonlyMap<FileEntry, SecretSink>;
  readonly problems: readonly FileProblem[];
}> {
  const targets = new Map<FileEntry, SecretSink>();
  const problems: FileProblem[] = [];
  const files = new Map<string, FileEntry>();
  for (const entry of entries) {
    const { secret_to: target, name } = entry.entry;
    if (target === undefined) continue;
    const file = 'file' in target ? await findPlace(resolve(options.directory, target.file)) : undefined;
    const first = file === undefined ? undefined : files.get(file);
    if (first !== undefined) {
      const what = `the same file as in ${nameEntry(first.path)}`;
      problems.push({ path: [...entry.path, 'secret_to'], what });
      continue;
    }
    if (file !== undefined) files.set(file, entry);
    try {
      targets.set(entry, await openTarget(target, name, options, context));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
      problems.push({ path: [...entry.path, 'secret_to'], what: readMessage(error) });
    }
  }
  return { targets, problems };
}

/** Resolves only the directory's links, because the file should not exist yet. */
async function findPlace(path: string): Promise<string> {
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

async function openTarget(
  target: SecretTarget,
  name: string,
  options: TargetOptions,
  context: SinkContext,
): Promise<SecretSink> {
  const sink = chooseSink(target, name, options, context);
  await sink.check();
  return sink;
}

function chooseSink(
  target: SecretTarget,
  name: string,
  options: TargetOptions,
  context: SinkContext,
): SecretSink {
  if ('command' in target) return commandSink(target.command, name, options, context);
  if ('profile' in target) return profileSink(target.profile, context);
  return fileSink(resolve(options.directory, target.file), 'file');
}

/** Pipes the secret to a command. */
function commandSink(
  command: string,
  name: string,
  { timeout }: TargetOptions,
  { system: { env, platform, stderr } }: SinkContext,
): SecretSink {
  return {
    /** Only checks that the program exists. */
    async check() {
      const word = /^\s*[^\s'"$`;&|<>(){}]+/.exec(command)?.[0].trim() ?? '';
      // Not checked if the line starts with shell syntax.
      if (word === '' || word.includes('=')) return;
      const [look, ...args] =
        platform === 'win32' ? ['where', word] : ['sh', '-c', 'command -v -- "$1"', 'sh', word];
      await promisify(execFile)(look ?? '', args, { env: { ...env } }).catch((error: unknown) => {
        throw new UsageError(`command ${word} not found`, { cause: error });
      });
    },
    async keep({ secret }) {
      // Errors may show the command, because it is part of the plan.
      const owner = `API key ${name} (${command})`;
      const hint = 'run the command by itself; it gets the secret on its standard input';
      await feedSecretCommand(command, secret, { owner, env, platform, stderr, timeout, hint });
      return `passed the secret of ${name} to its command`;
    },
  };
}
