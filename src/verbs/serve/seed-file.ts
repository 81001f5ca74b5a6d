import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { connections } from '../../api/resources/connection.js';
import { isResource } from '../../api/resources/resource.js';
import { placeMessage } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { describeFileError, UsageError } from '../../errors/errors.js';
import { type NamedFile, readDocument } from '../../input/document-file.js';
import { maxProblems } from '../../input/file-problems.js';
import { completeSettings } from '../../input/forms/connection-settings.js';
import { toSeedForm } from '../../input/forms/file-forms.js';
import type { SecretReference } from '../../input/forms/secret-reference.js';
import { readInputFile } from '../../input/input-file.js';
import { checkDecodedSecret } from '../../profiles/settings/secret-text.js';
import type { FirstOrganizationOptions, Seed } from '../../server/index.js';
import type { SeedProblem } from '../../server/seed/schema.js';
import { countNoun } from '../../text/count-noun.js';
import { decodeText } from '../../text/utf8.js';

/** Reads a seed and checks that `options` fit it. @throws UsageError naming file and line, but no values */
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
  const { value: formed, toSource, droppedIds } = toSeedForm(document.value, organizationName);
  const lineAt = (path: readonly PropertyKey[]) => document.lineAt(toSource(path));
  const { value, random } = completeConnections(formed, (name) =>
    checkDecodedSecret(context.system.env[name] ?? '', (what) =>
      refuseSeed(path, [`the variable ${name} ${what}`]),
    ),
  );
  const checked = await context.whileBusy(() => checkSeed(value, options));
  if ('seed' in checked) {
    for (const note of [...describeRandom(random), ...describeDropped(droppedIds)]) await context.note(note);
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

/** Fills in secrets from the environment. Others become random: clients cannot read them anyway. */
function completeConnections(
  seed: unknown,
  readVariable: (name: string) => string,
): { readonly value: unknown; readonly random: readonly SecretReference[] } {
  const random: SecretReference[] = [];
  const findSecret = (reference: SecretReference) => {
    const secret = 'env' in reference ? readVariable(reference.env) : '';
    if (secret !== '') return { secret };
    random.push(reference);
    return { secret: randomUUID() };
  };
  const complete = (connection: unknown) => {
    if (!isResource(connection) || !isResource(connection['config'])) return connection;
    const { config, problems } = completeSettings(connection['type'], connection['config'], findSecret);
    // Unchanged, so that `checkSeed` refuses the settings as written.
    return problems.length > 0 ? connection : { ...connection, config };
  };
  if (!isResource(seed) || !Array.isArray(seed['organizations'])) return { value: seed, random };
  const organizations = seed['organizations'].map((organization: unknown) => {
    if (!isResource(organization)) return organization;
    const { [connections.kind]: list } = organization;
    return Array.isArray(list) ? { ...organization, [connections.kind]: list.map(complete) } : organization;
  });
  return { value: { ...seed, organizations }, random };
}

function describeRandom(references: readonly SecretReference[]): readonly string[] {
  const unset = references.flatMap((reference) => ('env' in reference ? [reference.env] : []));
  const listed = [...new Set(unset)];
  return [
    ...describeCount(unset.length, `the environment lacks ${listFirst(listed)}`),
    ...describeCount(references.length - unset.length, 'serve does not read secrets from files or commands'),
  ];
}

function describeCount(count: number, why: string): readonly string[] {
  const verb = count === 1 ? 'is' : 'are';
  return count === 0 ? [] : [`${countNoun(count, 'secret')} of the seed ${verb} random, because ${why}`];
}

function describeDropped(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? [] : [`this server replaces IDs that it cannot store: ${listFirst(ids)}`];
}

function listFirst(texts: readonly string[]): string {
  const more = texts.length > maxNamed ? ` and ${texts.length - maxNamed} more` : '';
  return `${texts.slice(0, maxNamed).join(', ')}${more}`;
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
