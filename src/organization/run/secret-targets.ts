import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError, readMessage, UsageError } from '../../errors/errors.js';
import { feedSecretCommand } from '../../profiles/secret-command/secret-command.js';
import {
  type CreatedKey,
  openSink,
  type SecretSink,
  type SinkContext,
} from '../../verbs/api-keys/secret-sink.js';
import type { SecretTarget } from '../declaration/organization-file.js';
import { type FileEntry, type FileProblem, nameEntry } from '../read/file-entry.js';

export interface TargetOptions {
  readonly directory: string;
  /** Time limit of a command, in milliseconds; default: 10 s. */
  readonly timeout?: number;
}

export interface OpenTarget {
  readonly sink: SecretSink;
  /** The key, if an interrupted run did everything except storing its secret here. */
  readonly created: CreatedKey | undefined;
}

/** Opens secret targets. Checks, for example, that files are new, and their directories writable. */
export async function openTargets(
  entries: readonly FileEntry[],
  options: TargetOptions,
  context: SinkContext,
): Promise<{
  readonly targets: ReadonlyMap<FileEntry, OpenTarget>;
  readonly problems: readonly FileProblem[];
}> {
  const targets = new Map<FileEntry, OpenTarget>();
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
): Promise<OpenTarget> {
  const sink = chooseSecretSink(target, name, options, context);
  const created = await sink.open();
  await sink.assertWritable();
  return { sink, created };
}

function chooseSecretSink(
  target: SecretTarget,
  name: string,
  options: TargetOptions,
  context: SinkContext,
): SecretSink {
  if ('command' in target) return new CommandSink(target.command, name, options, context);
  const sink = openSink(
    'profile' in target
      ? { saveProfile: target.profile }
      : { secretFile: resolve(options.directory, target.file), pathName: 'file' },
    context,
  );
  if (sink === undefined) throw new Error('not a place for a secret');
  return sink;
}

/** Pipes the secret to a command. Keeps no record, so a kill can leave a key whose secret is lost. */
class CommandSink implements SecretSink {
  readonly left = undefined;
  readonly storesId = false;
  readonly rule = undefined;
  readonly #command: string;
  readonly #name: string;
  readonly #options: TargetOptions;
  readonly #context: SinkContext;

  constructor(command: string, name: string, options: TargetOptions, context: SinkContext) {
    this.#command = command;
    this.#name = name;
    this.#options = options;
    this.#context = context;
  }

  /** Only checks that the program exists. */
  async open(): Promise<undefined> {
    const { env, platform } = this.#context.system;
    const word = /^\s*[^\s'"$`;&|<>(){}]+/.exec(this.#command)?.[0].trim() ?? '';
    // Not checked if the line starts with shell syntax.
    if (word === '' || word.includes('=')) return;
    const [look, ...args] =
      platform === 'win32' ? ['where', word] : ['sh', '-c', 'command -v -- "$1"', 'sh', word];
    await promisify(execFile)(look ?? '', args, { env: { ...env } }).catch((error: unknown) => {
      throw new UsageError(`command ${word} not found`, { cause: error });
    });
  }

  async begin(): Promise<void> {
    // There is no record.
  }

  async assertWritable(): Promise<void> {
    // `open` has checked what can be checked without running the command.
  }

  async keep({ secret }: CreatedKey): Promise<string> {
    const { env, platform, stderr } = this.#context.system;
    // Errors may show the command, because it is part of the plan.
    const owner = `API key ${this.#name} (${this.#command})`;
    const hint = 'run the command by itself; it gets the secret on its standard input';
    const { timeout } = this.#options;
    await feedSecretCommand(this.#command, secret, { owner, env, platform, stderr, timeout, hint });
    return `passed the secret of ${this.#name} to its command`;
  }

  async abandon(): Promise<void> {
    // There is no record.
  }
}
