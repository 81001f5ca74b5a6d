import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { isResource, type Resource, toRowField, withFields } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { EntryKind } from '../../input/inputs.js';
import { redactedJson } from '../../redaction/redact-json.js';
import type { View } from '../../terminal/output/printer.js';
import { parseJson, printJson } from '../../text/exact-json.js';
import { type BulkEntry, type BulkRow, runBulk } from './bulk.js';
import { refuseReadOnly } from './confirm.js';
import type { Noun } from './noun.js';
import { assertNamed } from './pages.js';
import { printAnswer } from './print.js';
import { readAll } from './target.js';

export interface CreationOptions {
  readonly file?: string | undefined;
  readonly skipExisting?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface Creation<Input extends NamedInput> extends Noun {
  readonly entry: EntryKind<Input>;
}

interface NamedInput {
  readonly name: string;
}

/** Creates and prints the resource that options describe, or those of `--file` with a row for each. */
export async function createResources<Input extends NamedInput>(
  input: Input | undefined,
  creation: Creation<Input>,
  options: CreationOptions,
  context: Context,
): Promise<void> {
  const { resource, entry, view } = creation;
  const isOne = input !== undefined;
  const printer = await context.printer();
  const shownView = isOne ? view : creationView;
  printer.check(options.dryRun ? plannedRequestView : shownView);
  const { readInputs } = await import('../../input/inputs.js');
  const inputs = isOne ? [input] : await readInputs(options.file ?? '', resource, entry, context);
  const named = options.skipExisting
    ? await findExisting(resource, inputs, context)
    : new Map<string, Resource>();
  const missing = inputs.filter(({ name }) => !named.has(name));
  if (options.dryRun) return rehearse(missing, isOne, creation, context);
  if (missing.length > 0) await refuseReadOnly(context);
  if (!isOne) return createAll(inputs, named, creation, context);
  const existing = named.get(input.name);
  const { create } = (await context.api())[resource.property];
  const shown = existing ?? (await create(input));
  await printAnswer(shown, view, context, { isNew: existing === undefined });
  if (existing !== undefined)
    await context.note(`${resource.singular} ${JSON.stringify(input.name)} already exists`);
}

async function createAll(
  inputs: readonly NamedInput[],
  named: ReadonlyMap<string, Resource>,
  { resource }: Noun,
  context: Context,
): Promise<void> {
  const field = toRowField(resource);
  const entries = inputs.map((input): BulkEntry => {
    const existing = named.get(input.name);
    const run = async (): Promise<BulkRow> => {
      if (existing !== undefined) return { result: 'exists', id: existing['id'], [field]: existing };
      const created = await (await context.api())[resource.property].create(input);
      return { result: 'created', id: created['id'], [field]: withMaskedSettings(created) };
    };
    return { label: { name: input.name }, run };
  });
  const hint = () =>
    'run it again with --skip-existing to create only the missing ones; if an outcome is unknown, wait a minute first';
  const options = { what: `creating ${resource.plural}`, noun: resource, view: creationView, hint };
  await runBulk([entries], options, context);
}

/** The resources of these names; of several with one name, the first. @throws ServiceError for an unreliable list */
async function findExisting(
  resource: DeclaredResource,
  inputs: readonly NamedInput[],
  context: Context,
): Promise<ReadonlyMap<string, Resource>> {
  const wanted = new Set<unknown>(inputs.map(({ name }) => name));
  const everything = await readAll(resource, context);
  const found = everything.filter(({ name }) => wanted.has(name)).reverse();
  const named = new Map(found.map((one) => [String(one['name']), one]));
  if (named.size < wanted.size) assertNamed(resource, everything);
  return named;
}

const plannedRequestView: View<Resource> = {
  columns: [
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'BODY', value: 'body' },
  ],
  empty: 'nothing to create',
  fields: ['body'],
};

const creationView: View<BulkRow> = {
  columns: [
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'RESULT', value: 'result', rank: 2 },
    { header: 'ID', value: 'id' },
    { header: 'ERROR', value: 'error', rank: 3, wraps: true },
  ],
  empty: 'nothing to create',
  fields: ['code', ...resources.map(toRowField)],
};

async function rehearse(
  inputs: readonly NamedInput[],
  isOne: boolean,
  { resource }: Noun,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  // Without a pinned dialect, a dry run needs no configured service.
  const isPinned = (await context.settings().dialect()) !== undefined;
  const toSent = isPinned ? (await context.api())[resource.property].toSent : (body: unknown) => body;
  const planned = inputs.map((input) => ({
    method: 'POST',
    target: `/${resource.kind}`,
    body: toSent(maskedAnswer(input)),
  }));
  const [only] = planned;
  if (isOne && only !== undefined) await printer.one(only, plannedRequestView);
  else await printer.list(planned, plannedRequestView);
  await context.note('dry run: nothing was created');
}

/** Masks all but harmless fields: a service may give a secret any name. */
export function maskedAnswer(value: unknown): unknown {
  return parseJson(redactedJson(printJson(value)));
}

/** Masks possible secrets in a connection's settings, which a service may echo. */
export function withMaskedSettings(answer: Resource): Resource {
  return isResource(answer['config'])
    ? withFields(answer, Object(maskedAnswer({ config: answer['config'] })))
    : answer;
}
