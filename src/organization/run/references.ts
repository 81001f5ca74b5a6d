import { resolve } from 'node:path';
import pMap from 'p-map';
import type { Context } from '../../cli/context.js';
import { describeFileError, InterruptedError, readMessage } from '../../errors/errors.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readInputFile } from '../../input/input-file.js';
import { runSecretCommand } from '../../profiles/secret-command/secret-command.js';
import { dropTrailingNewline } from '../../profiles/settings/secret.js';
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
  if ('env' in reference) {
    const value = context.system.env[reference.env];
    if (value === undefined) return { what: `the variable ${reference.env} is not set` };
    return filledOrEmpty(value, `the variable ${reference.env}`);
  }
  if ('command' in reference) return fromCommand(reference.command, entry, options, context);
  try {
    const bytes = await readInputFile(resolve(options.directory, reference.file), maxSecretBytes);
    return filledOrEmpty(bytes.toString('utf8'), reference.file);
  } catch (error) {
    return { what: `${reference.file}: ${describeFileError(error)}` };
  }
}

function filledOrEmpty(text: string, where: string): ReadReference {
  const secret = dropTrailingNewline(text);
  return secret === '' ? { what: `${where} is empty` } : { secret };
}

async function fromCommand(
  command: string,
  { resource, entry }: FileEntry,
  { timeout }: ReferenceOptions,
  { system, signal }: Pick<Context, 'system' | 'signal'>,
): Promise<ReadReference> {
  const { env, platform, stderr } = system;
  const owner = `${resource.singular} ${entry.name}`;
  try {
    return { secret: await runSecretCommand(command, { owner, env, platform, stderr, signal, timeout }) };
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    return { what: readMessage(error) };
  }
}
