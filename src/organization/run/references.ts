import { resolve } from 'node:path';
import pMap from 'p-map';
import type { Context } from '../../cli/context.js';
import { describeFileError, InterruptedError, readMessage, UsageError } from '../../errors/errors.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readInputFile } from '../../input/input-file.js';
import { runSecretCommand } from '../../profiles/secret-command/secret-command.js';
import { checkDecodedSecret, decodeSecret, type RefuseSecret } from '../../profiles/settings/secret-text.js';
import { listReferences } from '../declaration/organization-file.js';
import type { FileEntry, FileProblem } from '../read/file-entry.js';

const maxSecretBytes = 64 * 1024;

/** How many secrets are read concurrently; reading one may run a command, which may prompt for a password. */
const readersAtOnce = 8;

export interface ReferenceOptions {
  readonly directory: string;
  /** Time limit of a command, in milliseconds; default: 10 s. */
  readonly timeout?: number;
}

export interface Secrets {
  secretOf(reference: SecretReference): string | undefined;
  readonly problems: readonly FileProblem[];
}

interface FoundSecret {
  readonly reference: SecretReference;
  readonly entry: FileEntry;
  readonly path: readonly PropertyKey[];
}

/** Reads each secret once. Call it only after confirmation, because the file decides what is read and run. */
export async function readSecrets(
  entries: readonly FileEntry[],
  options: ReferenceOptions,
  context: Pick<Context, 'system' | 'signal'>,
): Promise<Secrets> {
  const found = entries.flatMap((entry) =>
    listReferences(entry.entry).map(({ reference, path }) => ({
      reference,
      entry,
      path: [...entry.path, ...path],
    })),
  );
  const distinct = new Map(found.map((one) => [JSON.stringify(one.reference), one]));
  const read = await pMap(
    distinct,
    async ([key, one]) => [key, await readReferencedSecret(one, options, context)] as const,
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

type ReadReference =
  | { readonly secret: string; readonly what?: never }
  | { readonly secret?: never; readonly what: string };

async function readReferencedSecret(
  { reference, entry }: FoundSecret,
  options: ReferenceOptions,
  context: Pick<Context, 'system' | 'signal'>,
): Promise<ReadReference> {
  try {
    if ('env' in reference) return { secret: readVariable(reference.env, context) };
    if ('command' in reference)
      return { secret: await runCommand(reference.command, entry, options, context) };
    return { secret: await readSecretFile(reference.file, options) };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { what: readMessage(error) };
  }
}

function readVariable(name: string, { system }: Pick<Context, 'system'>): string {
  const refuse = refuseSource(`the variable ${name}`);
  const value = system.env[name];
  if (value === undefined) throw refuse('is not set');
  return requireFilled(checkDecodedSecret(value, refuse), refuse);
}

async function readSecretFile(file: string, { directory }: ReferenceOptions): Promise<string> {
  const refuse = refuseSource(file);
  const bytes = await readInputFile(resolve(directory, file), maxSecretBytes).catch((error: unknown) => {
    throw new UsageError(`${file}: ${describeFileError(error)}`, { cause: error });
  });
  return requireFilled(decodeSecret(bytes, refuse), refuse);
}

function refuseSource(source: string): RefuseSecret {
  return (what, cause) => new UsageError(`${source} ${what}`, { cause });
}

function requireFilled(secret: string, refuse: RefuseSecret): string {
  if (secret === '') throw refuse('is empty');
  return secret;
}

async function runCommand(
  command: string,
  { resource, entry }: FileEntry,
  { timeout }: ReferenceOptions,
  { system, signal }: Pick<Context, 'system' | 'signal'>,
): Promise<string> {
  const { env, platform, stderr } = system;
  const owner = `${resource.singular} ${entry.name}`;
  return runSecretCommand(command, { owner, env, platform, stderr, signal, timeout });
}
