import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { isResource, type Resource, toRowField, withFields } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { ServiceError } from '../../errors/errors.js';
import type { EntryKind } from '../../input/inputs.js';
import { redactedJson } from '../../redaction/redact-json.js';
import type { TypedView, View } from '../../terminal/output/printer.js';
import { parseJson, printJson } from '../../text/exact-json.js';
import { type BulkEntry, type BulkRow, runBulk } from './bulk.js';
import type { Noun } from './noun.js';
import { allPages, assertNamed, type ListCounts } from './pages.js';
import { adviseIfUnwritten, adviseSeeing, printAnswer, refuseReadOnly } from './print.js';
import { checkRoom } from './quota-room.js';
import { doubtList } from './short-list.js';

export interface CreationOptions {
  readonly file?: string | undefined;
  readonly skipExisting?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

/** A kind of resource with its input. */
export interface Creation<Input extends NamedInput> extends Noun {
  readonly entry: EntryKind<Input>;
  create(input: Input, api: Api): Promise<Resource>;
}

interface NamedInput {
  readonly name: string;
}

/** Creates the resource that options describe and prints it whole, or those of `--file`, a row each. */
export async function createResources<Input extends NamedInput>(
  input: Input | undefined,
  creation: Creation<Input>,
  options: CreationOptions,
  context: Context,
): Promise<void> {
  const { resource, entry, view } = creation;
  const isOne = input !== undefined;
  const printer = await context.printer();
  if (options.dryRun) printer.check(plannedRequestView, isOne ? 'value' : 'list');
  else if (isOne) printer.check(view, 'value');
  else printer.check(creationView, 'list');
  const inputs = isOne ? [input] : await readFile(options.file ?? '', entry, context);
  const { named, counts } = options.skipExisting
    ? await findExisting(resource, inputs, options, context)
    : { named: new Map<string, Resource>(), counts: undefined };
  const missing = inputs.filter(({ name }) => !named.has(name));
  const room = { ...options, existing: inputs.length - missing.length, counts };
  if (options.dryRun) {
    const said = await checkRoom(missing.length, resource, room, context);
    return rehearse(missing, isOne, said, resource, context);
  }
  if (missing.length > 0) await refuseReadOnly(context);
  if (isOne) return createOne(input, named.get(input.name), creation, context);
  await checkRoom(missing.length, resource, room, context);
  return createAll(inputs, named, creation, context);
}

/** Loaded on demand: one resource needs no parser of files. */
async function readFile<Input>(path: string, entry: EntryKind<Input>, context: Context) {
  const { readInputs } = await import('../../input/inputs.js');
  return readInputs(path, entry, context);
}

async function createOne<Input extends NamedInput>(
  input: Input,
  existing: Resource | undefined,
  { resource, view, create }: Creation<Input>,
  context: Context,
): Promise<void> {
  if (existing !== undefined) {
    const advice = adviseSeeing(resource, existing, 'there already');
    await adviseIfUnwritten(printAnswer(existing, view, context), advice);
    return context.note(`${resource.singular} ${JSON.stringify(input.name)} already exists`);
  }
  const created = await create(input, await context.api());
  const advice = adviseSeeing(resource, created, 'created');
  await adviseIfUnwritten(printAnswer(created, view, context, { isNew: true }), advice);
  await warnOfNames([{ sent: input.name, created }], context);
}

async function createAll<Input extends NamedInput>(
  inputs: readonly Input[],
  named: ReadonlyMap<string, Resource>,
  { resource, create }: Creation<Input>,
  context: Context,
): Promise<void> {
  const field = toRowField(resource);
  const made: { readonly sent: string; readonly created: Resource }[] = [];
  const entries = inputs.map((input): BulkEntry => {
    const existing = named.get(input.name);
    const run = async (): Promise<BulkRow> => {
      if (existing !== undefined) return { result: 'exists', id: existing['id'], [field]: existing };
      const created = await create(input, await context.api());
      made.push({ sent: input.name, created });
      return { result: 'created', id: created['id'], [field]: withMaskedSettings(created) };
    };
    return { label: { name: input.name }, run };
  });
  const hint =
    'run it again with --skip-existing to create only the missing ones; if an outcome is unknown, wait a minute first';
  const options = { what: `creating ${resource.plural}`, noun: resource, view: creationView, hint };
  await runBulk(entries, options, context).finally(() =>
    warnOfNames(made, context, '; --skip-existing will not recognize it'),
  );
}

/** Warns of resources that the service renamed: nothing finds them by their original names. */
export async function warnOfNames(
  made: readonly { readonly sent: string; readonly created: Resource }[],
  { printer }: Context,
  consequence = '',
): Promise<void> {
  const renamed = made.filter(({ sent, created: { name } }) => typeof name === 'string' && name !== sent);
  const [first] = renamed;
  if (first === undefined) return;
  const [own, wanted] = [first.created['name'], first.sent].map((name) => JSON.stringify(name));
  const more = renamed.length === 1 ? '' : `, and renamed ${renamed.length - 1} more`;
  await (await printer()).warn(
    `the service stored the name as ${own}, not as ${wanted}${more}${consequence}`,
  );
}

interface Existing {
  readonly named: ReadonlyMap<string, Resource>;
  readonly counts: ListCounts | undefined;
}

/** @throws ServiceError `server` if the list may lack one of the resources to create, unless in a dry run */
async function findExisting(
  resource: DeclaredResource,
  inputs: readonly NamedInput[],
  { dryRun }: CreationOptions,
  context: Context,
): Promise<Existing> {
  const api = await context.api();
  const printer = await context.printer();
  const wanted = new Set(inputs.map(({ name }) => name));
  const everything: Resource[] = [];
  const all = new Map<string, Resource[]>();
  let counts: ListCounts | undefined;
  const onEnd = (end: ListCounts) => {
    counts = end;
  };
  const { deadline } = api.transport;
  const { list } = api[resource.property];
  for await (const one of allPages(list, { deadline }, resource.plural, context, { onEnd })) {
    everything.push(one);
    const { name } = one;
    if (typeof name === 'string' && wanted.has(name)) all.set(name, [...(all.get(name) ?? []), one]);
  }
  if (all.size < wanted.size) assertNamed(resource, everything);
  const doubt = all.size < wanted.size ? await doubtList(resource, counts, api) : undefined;
  if (doubt !== undefined && !dryRun) {
    throw new ServiceError('server', `${doubt}; nothing was created`, {
      retryable: false,
      hint: 'wait a minute and run it again; if the quota counts more than the list has, create only missing ones, without --skip-existing; to see the existing ones',
      next: ['orgctl', resource.kind, 'list', '--all'],
    });
  }
  if (doubt !== undefined) await printer.warn(`${doubt}; without --dry-run, nothing would be created`);
  const named = new Map<string, Resource>();
  for (const [name, found] of all) {
    const [first, ...more] = found;
    if (first !== undefined) named.set(name, first);
    if (more.length === 0) continue;
    const ids = found.map(({ id }) => id).join(', ');
    const what = `${found.length} ${resource.plural} are named ${JSON.stringify(name)}: ${ids}`;
    await printer.warn(`${what}; --skip-existing takes the first`);
  }
  return { named, counts };
}

interface PlannedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

const plannedRequestView: TypedView<PlannedRequest> = {
  columns: [
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'BODY', value: 'body' },
  ],
  empty: 'nothing to create',
  fields: ['body'],
  example: { method: 'POST', target: '/connections', body: {} },
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
  example: { name: 'example', result: 'created' },
};

/** Prints the requests, with secrets masked, instead of sending them. */
async function rehearse(
  inputs: readonly NamedInput[],
  isOne: boolean,
  said: string | undefined,
  resource: DeclaredResource,
  context: Context,
): Promise<void> {
  const printer = await context.printer();
  // Without a pinned dialect, a dry run needs no configured service.
  const pinned = await context.settings().dialect();
  const toSent =
    pinned === undefined ? (body: unknown) => body : (await context.api())[resource.property].toSent;
  const planned = inputs.map((input) => ({
    method: 'POST',
    target: `/${resource.kind}`,
    body: toSent(maskedAnswer(input)),
  }));
  const [only] = planned;
  if (isOne && only !== undefined) await printer.one(only, plannedRequestView);
  else await printer.list(planned, plannedRequestView);
  await context.note(`dry run: nothing was created${said === undefined ? '' : `; ${said}`}`);
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
