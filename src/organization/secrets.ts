import { resolve } from 'node:path';
import pMap from 'p-map';
import type { Context } from '../cli/context.js';
import { fileSink, profileSink, type SecretSink } from '../commands/api-keys/create.js';
import { ConfigError, InterruptedError, readMessage, UsageError } from '../errors/errors.js';
import { readInputFile } from '../input/document-file.js';
import type { PlacedReference, SecretReference } from '../input/forms/secret-reference.js';
import { callSecretCommand, runSecretCommand } from '../profiles/secret-command/secret-command.js';
import { decodeSecret, type RefuseSecret, readVariable } from '../profiles/settings/secret.js';
import { listReferences, type SecretTarget } from './file.js';
import type { FileEntry, FileProblem, OrganizationFile } from './read-file.js';

const maxSecretBytes = 64 * 1024;

const readersAtOnce = 8;

export interface Secrets {
  readonly secretOf: (placed: PlacedReference) => string | undefined;
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
      key: JSON.stringify(reference),
      owner: `${entry.resource.singular} ${entry.entry.name}`,
      path: [...entry.path, ...path],
    })),
  );
  const secrets = new Map<string, string>();
  const problems: FileProblem[] = [];
  const distinct = new Map(found.map((one) => [one.key, one])).values();
  const read = async ({ reference, key, owner, path }: (typeof found)[number]) => {
    try {
      secrets.set(key, await readSecret(reference, owner, directory, context));
    } catch (error) {
      if (error instanceof InterruptedError) throw error;
      problems.push({ path, what: readMessage(error) });
    }
  };
  await pMap(distinct, read, { concurrency: readersAtOnce });
  return { problems, secretOf: ({ reference }) => secrets.get(JSON.stringify(reference)) };
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
      ? readVariable(reference.env, env, refuse)
      : decodeSecret(await readInputFile(source, source, directory, maxSecretBytes), refuse);
  if (secret === '') throw refuse('is empty');
  return secret;
}

/** Prepares to store new secrets; checks, for example, that files are new and their directories writable. */
export async function openTargets(
  entries: readonly FileEntry[],
  { directory }: OrganizationFile,
  context: Context,
) {
  const targets = new Map<FileEntry, SecretSink>();
  const problems: FileProblem[] = [];
  for (const entry of entries) {
    const { secret_to: target, name } = entry.entry;
    if (target === undefined) continue;
    const sink = chooseSink(target, name, directory, context);
    try {
      await sink.check();
      targets.set(entry, sink);
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
      problems.push({ path: [...entry.path, 'secret_to'], what: readMessage(error) });
    }
  }
  return { targets, problems };
}

function chooseSink(target: SecretTarget, name: string, directory: string, context: Context): SecretSink {
  if ('command' in target) return commandSink(target.command, name, context);
  if ('profile' in target) return profileSink(target.profile, context);
  return fileSink(resolve(directory, target.file), 'file');
}

function commandSink(command: string, name: string, { system: { env, stderr } }: Context): SecretSink {
  return {
    check: async () => undefined,
    async keep({ secret }) {
      // Errors may show the command, because it is part of the plan.
      const owner = `API key ${name} (${command})`;
      const hint = 'run the command by itself; it gets the secret on its standard input';
      await callSecretCommand(command, { owner, env, stderr, hint }, secret);
      return `passed the secret of ${name} to its command`;
    },
  };
}
