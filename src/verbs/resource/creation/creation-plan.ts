import type { DeclaredResource } from '../../../api/resources/index.js';
import type { Resource } from '../../../api/resources/resource.js';
import type { Context } from '../../../cli/context.js';
import type { Api } from '../../../client/api.js';
import { ServiceError } from '../../../errors/errors.js';
import type { ListCounts } from '../../pages.js';
import { doubtList } from '../../quotas/short-list.js';
import { refuseCloseNames } from '../close-names.js';
import { resolveByName } from '../named.js';
import { type KnownIds, knownFrom } from '../new-resource.js';

export interface PlanningOptions {
  readonly skipExisting?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface CreationStep<Input> {
  readonly input: Input;
  readonly existing?: Resource | undefined;
  readonly beyondQuota?: boolean;
}

interface CreationPlan<Input> {
  readonly steps: readonly CreationStep<Input>[];
  readonly known: KnownIds;
  /** If the list was read. */
  readonly counts?: ListCounts | undefined;
}

/** @throws ServiceError `server` if the list may lack one of the resources to create, unless in a dry run */
export async function planCreations<Input extends { readonly name: string }>(
  inputs: readonly Input[],
  resource: DeclaredResource,
  { skipExisting, dryRun }: PlanningOptions,
  context: Pick<Context, 'api' | 'note' | 'printer' | 'progress'>,
): Promise<CreationPlan<Input>> {
  if (!skipExisting) return { steps: inputs.map((input) => ({ input })), known: knownFrom([]) };
  const api = await context.api();
  const look = async () => {
    const plan = await skipNamed(inputs, resource, api, context);
    return {
      plan,
      doubt: plan.steps.some(isMissing) ? await doubtList(resource, plan.counts, api) : undefined,
    };
  };
  const first = await look();
  // A list that lags behind the quota may have caught up.
  const { plan, doubt } = first.doubt === undefined ? first : await look();
  const printer = await context.printer();
  if (doubt !== undefined && !dryRun) throw refuseShortList(resource, doubt);
  if (doubt !== undefined) await printer.warn(`${doubt}; without --dry-run, nothing would be created`);
  for (const warning of plan.warnings) await printer.warn(warning);
  return plan;
}

async function skipNamed<Input extends { readonly name: string }>(
  inputs: readonly Input[],
  resource: DeclaredResource,
  api: Api,
  context: Pick<Context, 'note' | 'progress'>,
): Promise<CreationPlan<Input> & { readonly warnings: readonly string[] }> {
  const names = inputs.map(({ name }) => name);
  const all: Resource[] = [];
  let counts: ListCounts | undefined;
  const onEnd = (end: ListCounts) => {
    counts = end;
  };
  const named = await resolveByName(resource, names, api, context, { all, onEnd });
  const others = all.filter(({ name }) => !named.has(String(name)));
  refuseCloseNames(
    resource,
    names.filter((name) => !named.has(name)),
    others,
  );
  const warnings = [...named].flatMap(([name, found]) => {
    const ids = found.map(({ id }) => id);
    const what = `${ids.length} ${resource.plural} are named ${JSON.stringify(name)}: ${ids.join(', ')}`;
    return ids.length > 1 ? [`${what}; --skip-existing takes the first`] : [];
  });
  const steps = inputs.map((input) => ({ input, existing: named.get(input.name)?.[0] }));
  return { steps, known: knownFrom(all), counts, warnings };
}

function refuseShortList({ kind }: DeclaredResource, doubt: string): ServiceError {
  return new ServiceError('server', `${doubt}; nothing was created`, {
    retryable: false,
    hint: 'wait a minute and run it again; if the quota counts more than the list has, create only missing ones, without --skip-existing; to see the existing ones',
    next: ['orgctl', kind, 'list', '--all'],
  });
}

export function isMissing({ existing }: CreationStep<unknown>): boolean {
  return existing === undefined;
}
