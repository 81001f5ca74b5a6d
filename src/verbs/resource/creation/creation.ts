import { type DeclaredResource, resources } from '../../../api/resources/index.js';
import { type Resource, toRowField } from '../../../api/resources/resource.js';
import type { Context } from '../../../cli/context.js';
import type { Api } from '../../../client/api.js';
import type { TypedView, View } from '../../../terminal/output/printer.js';
import { type BulkEntry, type BulkRow, runBulk } from '../../bulk.js';
import { adviseIfUnwritten, adviseSeeing } from '../../done-unwritten.js';
import { type AnswerContext, printAnswer } from '../../print-answer.js';
import { refuseReadOnly } from '../../refuse-read-only.js';
import { maskedAnswer, withMaskedSettings } from '../masked-answer.js';
import { admitNew, assertOwnName, type KnownIds } from '../new-resource.js';
import type { ResourceCommand } from '../resource-command.js';
import { type Creation, noteRetyped } from '../stored-name.js';
import { type CreationStep, isMissing, type PlanningOptions, planCreations } from './creation-plan.js';
import { type RoomOptions, roomInQuota } from './room-in-quota.js';

export interface CreationOptions extends PlanningOptions {
  readonly upToQuota?: boolean | undefined;
}

export interface CreationKind<Input extends NamedInput> extends Pick<ResourceCommand, 'resource' | 'view'> {
  create(input: Input, api: Api): Promise<Resource>;
}

type NamedInput = Creation['sent'];

type ResourceCreationContext = AnswerContext &
  Pick<Context, 'api' | 'settings' | 'progress' | 'note' | 'printer' | 'signal'>;

/**
 * Creates and prints one resource. @throws ConfigError for a read-only profile; in a dry run, ServiceError
 * `quota_exceeded` if there is no room for it
 */
export async function createOne<Input extends NamedInput>(
  input: Input,
  creation: CreationKind<Input>,
  options: CreationOptions,
  context: ResourceCreationContext,
): Promise<void> {
  // With --up-to-quota, a full quota leads to a row, not to an error.
  if (options.upToQuota) return createAll([input], creation, options, context);
  const { resource, view } = creation;
  const printer = await context.printer();
  if (options.dryRun) printer.check(plannedRequestView, 'value');
  else printer.check(view, 'value');
  const { steps, known, counts } = await planCreations([input], creation.resource, options, context);
  if (options.dryRun) return rehearse(steps, { ...creation, asList: false }, { ...options, counts }, context);
  if (steps.some(isMissing)) await refuseReadOnly(context);
  const existing = steps[0]?.existing;
  const answer = existing ?? (await createNew(input, creation, known, context));
  const advice = adviseSeeing(resource, answer, existing === undefined ? 'created' : 'there already');
  const isNew = existing === undefined;
  await adviseIfUnwritten(printAnswer(answer, view, context, { isNew }), advice);
  if (isNew) await noteStored([{ sent: input, created: answer }], resource, context);
  if (existing !== undefined)
    await context.note(`${resource.singular} ${JSON.stringify(input.name)} already exists`);
}

/** Creates resources. @throws ServiceError `quota_exceeded` or ConfigError before the first; otherwise as `runBulk` */
export async function createAll<Input extends NamedInput>(
  inputs: readonly Input[],
  creation: CreationKind<Input>,
  options: CreationOptions,
  context: ResourceCreationContext,
): Promise<void> {
  const printer = await context.printer();
  if (options.dryRun) printer.check(plannedRequestView, 'list');
  else printer.check(creationView, 'list');
  const { resource } = creation;
  const { steps, known, counts } = await planCreations(inputs, creation.resource, options, context);
  if (options.dryRun) return rehearse(steps, { ...creation, asList: true }, { ...options, counts }, context);
  if (steps.some(isMissing)) await refuseReadOnly(context);
  const room = await roomFor(steps, resource, { ...options, counts }, context);
  const made: Creation[] = [];
  const admitted = upTo(room.slots, steps);
  const isFull = admitted.some(({ beyondQuota }) => beyondQuota);
  const entries = admitted.map(
    (step): BulkEntry => ({
      label: { name: step.input.name },
      run: () =>
        take(step, toRowField(creation.resource), async (input) => {
          const created = await createNew(input, creation, known, context);
          made.push({ sent: input, created });
          return created;
        }),
    }),
  );
  await runBulk(
    entries,
    {
      what: `creating ${resource.plural}`,
      noun: resource,
      view: creationView,
      hint: `${isFull ? 'make room in the quota; then ' : ''}run it again with --skip-existing to create only the missing ones; if an outcome is unknown, wait a minute first`,
    },
    context,
  ).finally(() => noteStored(made, resource, context));
}

function roomFor(
  steps: readonly CreationStep<unknown>[],
  resource: DeclaredResource,
  options: RoomOptions,
  context: Pick<Context, 'api'>,
): ReturnType<typeof roomInQuota> {
  const count = steps.filter(isMissing).length;
  return roomInQuota(count, resource, { ...options, existing: steps.length - count }, context);
}

/** Creates a resource and adds its ID to `known`. @throws ServiceError `server` for a response with another resource */
async function createNew<Input extends NamedInput>(
  input: Input,
  creation: CreationKind<Input>,
  known: KnownIds,
  context: Pick<Context, 'api'>,
): Promise<Resource> {
  const created = await creation.create(input, await context.api());
  admitNew(creation.resource, created, known);
  assertOwnName(creation.resource, created, input.name);
  return created;
}

type NotedResource = CreationKind<NamedInput>['resource'];

async function noteStored(
  made: readonly Creation[],
  resource: NotedResource,
  context: Pick<Context, 'printer'>,
): Promise<void> {
  await noteRenamed(made, resource, context);
  await noteRetyped(made, resource, context);
}

/** A renamed resource is not found by its original name. */
async function noteRenamed(
  made: readonly Creation[],
  { singular, plural }: NotedResource,
  { printer }: Pick<Context, 'printer'>,
): Promise<void> {
  const names = made.map(({ sent, created }) => [sent.name, created['name']] as const);
  const renamed = names.filter(([asked, created]) => typeof created === 'string' && created !== asked);
  const [first] = renamed;
  if (first === undefined) return;
  const [asked, created] = first.map((name) => JSON.stringify(name));
  const more = renamed.length - 1;
  const others = more === 0 ? '' : `, and renamed ${more} more ${more === 1 ? singular : plural}`;
  await (await printer()).warn(
    `the service renamed ${asked} to ${created}${others}; use its names, or --skip-existing will not recognize them`,
  );
}

function upTo<Input>(slots: number, steps: readonly CreationStep<Input>[]): readonly CreationStep<Input>[] {
  const beyond = new Set(steps.filter(isMissing).slice(slots));
  return steps.map((step) => (beyond.has(step) ? { ...step, beyondQuota: true } : step));
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

async function rehearse<Input extends NamedInput>(
  steps: readonly CreationStep<Input>[],
  { resource, asList }: CreationKind<Input> & { readonly asList: boolean },
  options: RoomOptions,
  context: ResourceCreationContext,
): Promise<void> {
  const room = await roomFor(steps, resource, options, context);
  const printer = await context.printer();
  // Without a pinned dialect, a dry run needs no configured service.
  const pinned = await context.settings().dialect();
  const toSent =
    pinned === undefined ? (body: unknown) => body : (await context.api())[resource.property].toSent;
  const planned = upTo(room.slots, steps)
    .filter((step) => step.existing === undefined && !step.beyondQuota)
    .map(({ input }) => ({
      method: 'POST',
      target: `/${resource.kind}`,
      body: toSent(maskedAnswer(input)),
    }));
  const [only] = planned;
  if (asList || only === undefined) await printer.list(planned, plannedRequestView);
  else await printer.one(only, plannedRequestView);
  await context.note(`dry run: nothing was created${room.said === undefined ? '' : `; ${room.said}`}`);
}

async function take<Input>(
  { input, existing, beyondQuota }: CreationStep<Input>,
  field: string,
  create: (input: Input) => Promise<Resource>,
): Promise<BulkRow> {
  if (existing !== undefined) return { result: 'exists', id: existing['id'], [field]: existing };
  if (beyondQuota) return { result: 'not tried', error: 'the quota has no room for it' };
  const created = await create(input);
  return { result: 'created', id: created['id'], [field]: withMaskedSettings(created) };
}
