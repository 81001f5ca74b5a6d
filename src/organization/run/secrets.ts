import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pMap from 'p-map';
import type { Context } from '../../cli/context.js';
import { fileSink, profileSink, type SecretSink } from '../../commands/api-keys/secret-sink.js';
import { ConfigError, InterruptedError, readMessage, UsageError } from '../../errors/errors.js';
import { readInputFile } from '../../input/document-file.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { callSecretCommand, runSecretCommand } from '../../profiles/secret-command/secret-command.js';
import { checkDecodedSecret, decodeSecret, type RefuseSecret } from '../../profiles/settings/secret.js';
import { listReferences, type SecretTarget } from '../declaration/organization-file.js';
import { type FileEntry, type FileProblem, nameEntry, type OrganizationFile } from '../read/file-entry.js';

const maxSecretBytes = 64 * 1024;

/** How many secrets are read concurrently; reading one may run a command, which may prompt for a password. */
const readersAtOnce = 8;

export interface Secrets {
  secretOf(reference: SecretReference): string | undefined;
  readonly problems: readonly FileProblem[];
}

/** Reads each secret once. Call it only after confirmation, because the file decides what is read and run. */
export async function readSecrets(
  entries: readonly FileEntry[],
  { directory }: OrganizationFile,
  context: Context,
): Promise<Secrets> {
  const found = entries.flatMap((entry) =>
    listReferences(entry.entry).map(({ reference, path }) => ({
      reference,
      owner: `${entry.resource.singular} ${entry.entry.name}`,
      path: [...entry.path, ...path],
    })),
  );
  const distinct = new Map(found.map((one) => [JSON.stringify(one.reference), one]));
  const read = await pMap(
    distinct,
    async ([key, { reference, owner }]) =>
      [key, await tryToRead(reference, owner, directory, context)] as const,
    { concurrency: readersAtOnce },
  );
  const secrets = new Map(read);
  const of = (reference: SecretReference) => secrets.get(JSON.stringify(reference));
  const problems = found.flatMap(({ reference, path }) => {
    const { what } = of(reference) ?? {};
    return what === undefined ? [] : [{ path, what }];
  });
  return { problems, secretOf: (reference) => of(reference)?.secret };
}

interface ReadSecret {
  readonly secret?: string;
  /** Why there is no secret. */
  readonly what?: string;
}

async function tryToRead(
  reference: SecretReference,
  owner: string,
  directory: string,
  context: Context,
): Promise<ReadSecret> {
  try {
    return { secret: await readSecret(reference, owner, directory, context) };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { what: readMessage(error) };
  }
}

async function readSecret(
  reference: SecretReference,
  owner: string,
  directory: string,
  { system: { env, stderr }, signal }: Context,
): Promise<string> {
  if ('command' in reference) return runSecretCommand(reference.command, { owner, env, stderr, signal });
  const source = 'env' in reference ? `the variable ${reference.env}` : reference.file;
  const refuse: RefuseSecret = (what, cause) => new UsageError(`${source} ${what}`, { cause });
  const secret =
    'env' in reference
      ? checkDecodedSecret(requireSet(env[reference.env], refuse), refuse)
      : decodeSecret(await readSecretFile(reference.file, directory), refuse);
  if (secret === '') throw refuse('is empty');
  return secret;
}

function requireSet(value: string | undefined, refuse: RefuseSecret): string {
  if (value === undefined) throw refuse('is not set');
  return value;
}

function readSecretFile(file: string, directory: string): Promise<Buffer> {
  return readInputFile(file, file, directory, maxSecretBytes);
}

/** Opens secret targets. Checks, for example, that files are new, and their directories writable. */
export async function openTargets(
  entries: readonly FileEntry[],
  { directory }: OrganizationFile,
  context: Context,
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
    const path = [...entry.path, 'secret_to'];
    const file = 'file' in target ? await findPlace(resolve(directory, target.file)) : undefined;
    const first = file === undefined ? undefined : files.get(file);
    if (first !== undefined) {
      problems.push({ path, what: `the same file as in ${nameEntry(first.path)}` });
      continue;
    }
    if (file !== undefined) files.set(file, entry);
    const sink = chooseSink(target, name, directory, context);
    try {
      await sink.check();
      targets.set(entry, sink);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
      problems.push({ path, what: readMessage(error) });
    }
  }
  return { targets, problems };
}

/** Resolves only the directory's links, because the file should not exist yet. */
async function findPlace(path: string): Promise<string> {
  return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
}

function chooseSink(target: SecretTarget, name: string, directory: string, context: Context): SecretSink {
  if ('command' in target) return commandSink(target.command, name, context);
  if ('profile' in target) return profileSink(target.profile, context);
  return fileSink(resolve(directory, target.file), 'file');
}

/** Pipes the secret to a command. */
function commandSink(command: string, name: string, { system }: Context): SecretSink {
  const { env, platform, stderr } = system;
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
      await callSecretCommand(command, { owner, env, stderr, hint }, secret);
      return `passed the secret of ${name} to its command`;
    },
  };
}
