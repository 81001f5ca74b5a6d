import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { connections } from '../../api/resources/connection.js';
import { isResource } from '../../api/resources/resource.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { type NamedFile, readDocument } from '../../input/document-file.js';
import { decodeText } from '../../input/entry-file.js';
import { maxProblems } from '../../input/file-problems.js';
import { completeSettings } from '../../input/forms/connection-settings.js';
import { toSeedForm } from '../../input/forms/file-forms.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readInputFile } from '../../input/input-file.js';
import { dropTrailingNewline } from '../../profiles/settings/secret.js';
import type { FirstOrganizationOptions, Seed } from '../../server/index.js';
import type { SeedProblem } from '../../server/seed/schema.js';

/** Reads a seed and checks that `options` fit it. @throws UsageError naming the file and any line, but no values */
export async function readSeedFile(
  path: string,
  options: FirstOrganizationOptions,
  context: Pick<Context, 'system' | 'whileBusy' | 'note'>,
): Promise<Seed> {
  const bytes = await readInputFile(resolve(context.system.cwd(), path)).catch((error: unknown) => {
    throw new UsageError(`--seed ${path}: ${describeFileError(error)}`, { cause: error });
  });
  const file: NamedFile = {
    path,
    what: 'a seed',
    unusable: (problems, cause) => refuseSeed(path, problems, cause),
  };
  const document = await readDocument(decodeText(bytes, `--seed ${path}`), file, context);
  const { checkSeed } = await import('../../server/seed/schema.js');
  const { organizationName } = await import('../../server/options/first-organization.js');
  const { value: formed, toSource } = toSeedForm(document.value, organizationName);
  const lineAt = (path: readonly PropertyKey[]) => document.lineAt(toSource(path));
  const { value, unset } = completeConnections(formed, context.system.env);
  const checked = await context.whileBusy(() => checkSeed(value, options));
  if ('seed' in checked) {
    if (unset.length > 0) await context.note(describeUnset(unset));
    return checked.seed;
  }
  const problems = checked.problems.slice(0, maxProblems).map((problem) => ({
    line: lineAt(toSeedPath(problem)),
    text: placeMessage(problem),
  }));
  throw refuseSeed(
    path,
    problems
      .toSorted((one, other) => one.line - other.line)
      .map(({ line, text }) => `${path}:${line}: ${text}`),
  );
}

/** Fills in secrets from the environment; a missing one becomes random, because no client can read it back. */
function completeConnections(
  seed: unknown,
  env: Readonly<Record<string, string | undefined>>,
): { readonly value: unknown; readonly unset: readonly string[] } {
  const unset: string[] = [];
  const findSecret = (reference: SecretReference) => {
    const secret = 'env' in reference ? dropTrailingNewline(env[reference.env] ?? '') : '';
    if (secret !== '') return { secret };
    unset.push(Object.values(reference).join());
    return { secret: randomUUID() };
  };
  const complete = (connection: unknown) => {
    if (!isResource(connection) || !isResource(connection['config'])) return connection;
    const { config, problems } = completeSettings(connection['type'], connection['config'], findSecret);
    // `checkSeed` refuses the original settings.
    return problems.length > 0 ? connection : { ...connection, config };
  };
  if (!isResource(seed) || !Array.isArray(seed['organizations'])) return { value: seed, unset };
  const organizations = seed['organizations'].map((organization: unknown) => {
    if (!isResource(organization)) return organization;
    const { [connections.kind]: list } = organization;
    return Array.isArray(list) ? { ...organization, [connections.kind]: list.map(complete) } : organization;
  });
  return { value: { ...seed, organizations }, unset };
}

function describeUnset(names: readonly string[]): string {
  const listed = [...new Set(names)];
  const more = listed.length > maxNamed ? ` and ${listed.length - maxNamed} more` : '';
  const what = names.length === 1 ? '1 secret of the seed is' : `${names.length} secrets of the seed are`;
  const why = names.length === 1 ? 'it is' : 'they are';
  return `${what} random, because ${why} not in the environment: ${listed.slice(0, maxNamed).join(', ')}${more}`;
}

const maxNamed = 5;

function toSeedPath({ path, key }: SeedProblem): readonly PropertyKey[] {
  return key === undefined ? path : [...path, key];
}

function refuseSeed(path: string, problems: readonly string[], cause?: unknown): UsageError {
  return new UsageError(`--seed ${path}: invalid seed`, {
    problems,
    hint: 'docs/guides/local-service.md describes seeds',
    cause,
  });
}
