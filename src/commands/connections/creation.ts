import type { Api } from '../../client/api.js';
import type { Context } from '../../context.js';
import { parseJson, printJson } from '../../contract/exact-json.js';
import type { Resource } from '../../contract/resource.js';
import type { ConnectionInput } from '../../contract/resources/connection.js';
import { ServiceError } from '../../errors.js';
import { redactedJson } from '../../redaction/redact-json.js';
import type { View } from '../../terminal/printer.js';
import { type BulkRow, type Entry, runBulk } from '../bulk.js';
import { allPages } from '../pages.js';
import { type AnswerContext, printAnswer } from '../print-answer.js';
import { connectionView } from './connection.js';
import type { ConnectionInputs } from './connection-file.js';

export interface CreationOptions {
  readonly skipExisting?: boolean | undefined;
  readonly upToQuota?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

type CreationContext = AnswerContext & Pick<Context, 'api' | 'progress' | 'note' | 'signal'>;

/** What is to become of one connection. */
interface Step {
  readonly input: ConnectionInput;
  /** The connection of that name, where there is one and such are to be skipped. */
  readonly existing?: Resource | undefined;
  /** Beyond what the quota has room for. */
  readonly beyondQuota?: boolean;
}

/**
 * Creates connections: one by itself is printed as the service returned it, a list as a row each. What exists and what
 * fits is read before the first is sent, and only when it matters.
 *
 * @throws ServiceError `quota_exceeded`, nothing sent, when a list does not fit; what `runBulk` throws
 */
export async function createAll(
  { inputs, isList }: ConnectionInputs,
  options: CreationOptions,
  context: CreationContext,
): Promise<void> {
  const asList = isList || options.upToQuota === true;
  (await context.printer()).check(viewOf(asList, options), asList ? 'list' : 'value');
  const known = options.skipExisting ? await existing(inputs, context) : new Map<string, Resource>();
  const steps = inputs.map((input): Step => ({ input, existing: known.get(input.name) }));
  const planned = asList ? await withinQuota(steps, options, context) : steps;
  if (options.dryRun) return printPlan(planned, asList, context);
  const [only] = planned;
  if (asList || only === undefined) return createList(planned, context);
  return createOne(only, context);
}

/** A request that `--dry-run` did not send. */
interface PlannedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

const plannedRequestView: View<PlannedRequest> = {
  columns: [
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'BODY', value: 'body' },
  ],
  empty: 'nothing to create',
  fields: ['body'],
  example: { method: 'POST', target: '/connections', body: {} },
};

/** What became of each connection of a list. */
const creationView: View<BulkRow> = {
  columns: [
    { header: 'NAME', value: 'name' },
    { header: 'RESULT', value: 'result' },
    { header: 'ID', value: 'id' },
    { header: 'ERROR', value: 'error' },
  ],
  empty: 'no connections to create',
  fields: ['code', 'connection'],
  example: { name: 'example', result: 'created' },
};

function viewOf(asList: boolean, { dryRun }: CreationOptions): View<never> {
  if (dryRun) return plannedRequestView;
  return asList ? creationView : connectionView;
}

/** The connections that have the names of those to be created, by name. */
async function existing(
  inputs: readonly ConnectionInput[],
  context: CreationContext,
): Promise<Map<string, Resource>> {
  const names = new Set(inputs.map(({ name }) => name));
  const found = new Map<string, Resource>();
  const { connections, transport } = await context.api();
  const { deadline } = transport;
  for await (const connection of allPages(connections.list, { deadline }, 'connections', context)) {
    const { name } = connection;
    if (typeof name === 'string' && names.has(name) && !found.has(name)) found.set(name, connection);
  }
  return found;
}

/** The steps, those beyond the quota marked. The service decides in the end: others may create meanwhile. */
async function withinQuota(
  steps: readonly Step[],
  { upToQuota, dryRun }: CreationOptions,
  context: CreationContext,
): Promise<readonly Step[]> {
  const missing = steps.filter((step) => step.existing === undefined);
  if (missing.length === 0 || (dryRun && !upToQuota)) return steps;
  const room = await roomFor(missing.length, upToQuota === true, await context.api());
  const beyond = new Set(missing.slice(room));
  return steps.map((step) => (beyond.has(step) ? { ...step, beyondQuota: true } : step));
}

/** How many of so many connections the quota has room for. @throws ServiceError for fewer, unless that will do */
async function roomFor(count: number, fewerWillDo: boolean, { quotas }: Api): Promise<number> {
  const { connections: quota } = await quotas.read();
  if (quota === undefined || count <= quota.remaining) return count;
  const room = Math.max(0, quota.remaining);
  if (fewerWillDo) return room;
  const { limit, used } = quota;
  throw new ServiceError(
    'quota_exceeded',
    `${count} connections are to be created, and the quota has room for ${room} (${used} of ${limit} used); nothing was sent`,
    {
      quota: { kind: 'connections', limit, used },
      retryable: false,
      hint: 'create as many as fit with --up-to-quota, or make room: orgctl connections delete <id-or-name>',
    },
  );
}

async function printPlan(
  steps: readonly Step[],
  isList: boolean,
  context: Pick<Context, 'printer' | 'note'>,
): Promise<void> {
  const printer = await context.printer();
  const planned = steps
    .filter((step) => step.existing === undefined && !step.beyondQuota)
    .map(({ input }) => ({
      method: 'POST',
      target: '/connections',
      body: parseJson(redactedJson(printJson(input))),
    }));
  const [only] = planned;
  if (isList || only === undefined) await printer.list(planned, plannedRequestView);
  else await printer.one(only, plannedRequestView);
  await context.note('a dry run: nothing was created');
}

async function createOne({ input, existing }: Step, context: CreationContext): Promise<void> {
  const { connections } = await context.api();
  const connection = existing ?? (await connections.create(input));
  await printAnswer(connection, connectionView, context);
  if (existing !== undefined) await context.note(`there is a connection ${input.name} already`);
}

async function createList(steps: readonly Step[], context: CreationContext): Promise<void> {
  const { connections } = await context.api();
  const entries = steps.map((step): Entry => {
    const { input } = step;
    return { label: { name: input.name }, run: () => take(step, connections.create) };
  });
  await runBulk(
    entries,
    {
      what: 'creating connections',
      view: creationView,
      hint: 'the same command with --skip-existing creates what is missing',
    },
    context,
  );
}

async function take(
  { input, existing, beyondQuota }: Step,
  create: (input: ConnectionInput) => Promise<Resource>,
) {
  if (existing !== undefined) return { result: 'exists', id: existing['id'], connection: existing };
  if (beyondQuota) return { result: 'not tried', error: 'the quota has no room for it' };
  const connection = await create(input);
  return { result: 'created', id: connection['id'], connection };
}
