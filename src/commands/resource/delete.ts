import type { Resource } from '../../api/resources/resource.js';
import { command, type OptionValue, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { canAsk } from '../../terminal/output/streams.js';
import { runBulk } from './bulk.js';
import { describeService, requireChangeable } from './confirm.js';
import { changeView, idsOrNames, type Noun } from './noun.js';
import { printAnswer } from './print.js';
import { findTargets, notFound, onTarget, type Target, unlessService } from './target.js';

interface DeleteOptions {
  readonly yes?: boolean | undefined;
  readonly [option: string]: string | boolean | undefined;
}

export interface DeleteGuard {
  readonly option: OptionValue<string, string | boolean | undefined>;
  /** @returns whether it asked */
  confirm(targets: readonly Target[], options: DeleteOptions, context: Context): Promise<boolean>;
}

export function deleteVerb(noun: Noun, guard?: DeleteGuard): Define {
  const { kind, plural } = noun.resource;
  const yes = option('-y, --yes', 'do not prompt');
  return command({
    description: `Delete one or more ${plural}. This makes room in the quota. ${ownCommand}`,
    args: [idsOrNames(noun.resource)],
    options: guard === undefined ? [yes] : [yes, guard.option],
    examples: [[`orgctl ${kind} delete ${noun.exampleName}`, 'prompts first']],
    calls: 'service',
    writes: ['service'],
    asks: 'first, unless --yes',
    exits: ['partial'],
    async run(context, [texts], given) {
      await requireChangeable(changeView, context);
      const targets = await findTargets(noun.resource, texts, context);
      const [only] = targets;
      if (targets.length === 1 && only?.isAbsent) throw notFound(noun.resource, only);
      const asked = await guard?.confirm(targets, given, context);
      if (!given['yes'] && !(asked && targets.length === 1)) await confirmDeletion(noun, targets, context);
      // The guard has already dealt with the signing key.
      await deleteTargets(noun, targets, texts.length === 1, { evenMine: guard !== undefined }, context);
    },
  });
}

async function deleteTargets(
  { resource }: Noun,
  targets: readonly Target[],
  isOne: boolean,
  options: { readonly evenMine: boolean },
  context: Context,
): Promise<void> {
  const calls = (await context.api())[resource.property];
  const remove = async (target: Target) => {
    await onTarget(resource, target, (id) => calls.delete(id, options));
    return { result: 'deleted' };
  };
  const [only] = targets;
  if (isOne && only !== undefined) {
    await printAnswer({ id: only.id, ...(await remove(only)) }, changeView, context);
    return;
  }
  const entries = targets.map((each) => ({ label: { id: each.id }, run: () => remove(each) }));
  const work = { what: `deleting ${resource.plural}`, noun: resource, view: changeView };
  await runBulk([entries], work, context);
}

/** How many resources the question describes: each may need a request. */
const maxDescribed = 5;

async function confirmDeletion(noun: Noun, targets: readonly Target[], context: Context): Promise<void> {
  const { singular, plural } = noun.resource;
  const first = targets.slice(0, maxDescribed);
  const named = canAsk(context)
    ? await Promise.all(first.map((target) => describeTarget(noun, target, context)))
    : first.map(({ id }) => id);
  const more = targets.length - first.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const service = await describeService(context);
  const what =
    targets.length === 1
      ? `${singular} ${list} on ${service}`
      : `${targets.length} ${plural} on ${service}: ${list}`;
  const prompt = await context.prompt();
  await prompt.confirm(`Delete ${what}?`, { hint: 'pass --yes', declined: 'nothing was deleted' });
}

/** Such as `"app" (db.example.com, conn_40b46949)`; only the ID if the service does not show the resource. */
async function describeTarget({ resource, place }: Noun, target: Target, context: Context): Promise<string> {
  const { id } = target;
  const { get } = (await context.api())[resource.property];
  const found = target.found ?? (await onTarget<Resource>(resource, target, get).catch(unlessService));
  const name = found?.['name'];
  if (found === undefined || typeof name !== 'string') return id;
  const where = place?.(found);
  return `${JSON.stringify(name)} (${typeof where === 'string' ? `${where}, ` : ''}${id})`;
}
