import { hasQuota } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import { command, type OptionValue, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { isUnreadable, ServiceError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { runBulk } from './bulk.js';
import { describeService, quoteName, shortenName } from './confirm.js';
import { changeView, idsOrNames, type Noun } from './noun.js';
import { adviseIfUnwritten, apiForChange, printAnswer } from './print.js';
import { findTargets, onTarget, parseIdentifiers, type Target } from './target.js';

interface DeleteOptions {
  readonly yes?: boolean | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** An additional question for some resources, and the option that answers it. */
export interface DeleteGuard {
  readonly option: readonly [flags: string, description: string];
  /** @returns whether it asked @throws DeclinedError */
  readonly confirm: (
    targets: readonly Target[],
    options: DeleteOptions,
    context: Context,
  ) => Promise<boolean>;
}

/** Defines `delete`: prompts on a terminal, and needs `--yes` elsewhere. */
export function deleteVerb(noun: Noun, guard?: DeleteGuard): Define {
  const { kind, plural } = noun.resource;
  const freed = hasQuota(noun.resource) ? ' This makes room in the quota.' : '';
  const options: readonly OptionValue<string, string | boolean | undefined>[] = [
    option('-y, --yes', 'do not prompt'),
    ...(guard === undefined ? [] : [option(...guard.option)]),
  ];
  return command({
    description: `Delete one or more ${plural}.${freed} ${ownCommand}`,
    args: [idsOrNames(noun.resource)],
    options,
    examples: [
      [`orgctl ${kind} delete ${noun.exampleName}`, 'prompts first'],
      [`orgctl ${kind} delete ${noun.exampleName} --yes`, 'in a script'],
    ],
    calls: 'service',
    writes: ['service'],
    asks: 'first, unless --yes',
    exits: ['partial'],
    run: (context, [texts], given) => deleteResources(noun, texts, given, context, guard),
  });
}

async function deleteResources(
  noun: Noun,
  texts: readonly string[],
  options: DeleteOptions,
  context: Context,
  guard?: DeleteGuard,
): Promise<void> {
  const { resource } = noun;
  parseIdentifiers(resource, texts);
  const api = await apiForChange(changeView, texts.length === 1 ? 'value' : 'list', context);
  const found = await findTargets(resource, texts, api, context);
  // An error must not suggest what else to delete.
  const targets = found.map((target) => ({ ...target, near: undefined }));
  const asked = await guard?.confirm(targets, options, context);
  if (!options.yes && !(asked && targets.length === 1)) await confirmDeletion(noun, targets, context);
  const remove = async (target: Target) => {
    // The guard has already dealt with the signing key.
    const evenMine = guard !== undefined;
    await onTarget(resource, target, (id) => api[resource.property].delete(id, { evenMine }));
    return { result: 'deleted' };
  };
  const [target] = targets;
  if (texts.length === 1 && target !== undefined) {
    const row = { id: target.id, ...(await remove(target)) };
    const done = { hint: `${resource.singular} ${target.id} was deleted` };
    return adviseIfUnwritten(printAnswer(row, changeView, context), done);
  }
  const entries = targets.map((each) => ({ label: { id: each.id }, run: () => remove(each) }));
  return runBulk(entries, { what: `deleting ${resource.plural}`, noun: resource, view: changeView }, context);
}

/** How many resources the question describes: each may need a request. */
const maxDescribed = 5;

async function confirmDeletion(noun: Noun, targets: readonly Target[], context: Context): Promise<void> {
  const { singular, plural } = noun.resource;
  const first = targets.slice(0, maxDescribed);
  const isOnly = targets.length === 1;
  const named = canAsk(context)
    ? await Promise.all(first.map((target) => describeTarget(noun, target, isOnly, context)))
    : first.map(({ id }) => id);
  const more = targets.length - first.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const service = await describeService(context.settings());
  const what = isOnly
    ? `${singular} ${list} on ${service}`
    : `${targets.length} ${plural} on ${service}: ${list}`;
  const { confirm } = await context.prompt();
  await confirm(`Delete ${what}?`, { hint: 'pass --yes', declined: 'nothing was deleted' });
}

/** Such as `"app" (db.example.com, conn_40b46949)`. @throws ServiceError `not_found` if the only target is missing */
async function describeTarget(
  { resource, place }: Noun,
  target: Target,
  isOnly: boolean,
  context: Context,
): Promise<string> {
  const { id, found } = target;
  const { get } = (await context.api())[resource.property];
  const shown: Resource | undefined =
    found ??
    (await onTarget<Resource>(resource, target, get).catch((error: unknown) => {
      if (isUnreadable(error)) return { id };
      if (!isOnly && error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    }));
  if (shown === undefined) return `${id} (not found)`;
  const where = place?.(shown);
  const { name } = shown;
  if (typeof name !== 'string') return id;
  return `${quoteName(name)} (${typeof where === 'string' ? `${shortenName(where)}, ` : ''}${id})`;
}
