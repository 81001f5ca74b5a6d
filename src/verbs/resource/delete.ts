import type { Command } from '@commander-js/extra-typings';
import { hasQuota } from '../../api/resources/index.js';
import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import type { Api } from '../../client/api.js';
import { isUnreadable, ServiceError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import { runBulk } from '../bulk.js';
import { describeService, quoteName, shortenName } from '../confirm-change.js';
import { adviseIfUnwritten } from '../done-unwritten.js';
import { type AnswerContext, apiForChange, printAnswer } from '../print-answer.js';
import { orMissing } from './missing.js';
import { type NamedResource, namedResources, parseIdentifiers, requireWholeIds } from './named.js';
import { changeView, type ResourceCommand } from './resource-command.js';

interface DeleteOptions {
  readonly yes?: boolean | undefined;
  readonly [option: string]: string | boolean | undefined;
}

type DeleteContext = AnswerContext &
  Pick<Context, 'api' | 'prompt' | 'settings' | 'profiles' | 'note' | 'signal' | 'progress'>;

/** An additional question for some resources, and the option that answers it. */
export interface DeleteGuard {
  readonly option: readonly [flags: string, description: string];
  /** @returns whether it asked @throws DeclinedError */
  readonly confirm: (
    targets: readonly NamedResource[],
    options: DeleteOptions,
    context: DeleteContext,
  ) => Promise<boolean>;
}

/** Defines `delete`: prompts on a terminal, and needs `--yes` elsewhere. */
export function deleteVerb(noun: ResourceCommand, guard?: DeleteGuard) {
  const { kind, singular, plural } = noun.resource;
  const freed = hasQuota(noun.resource) ? ' This makes room in the quota.' : '';
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`Delete one or more ${plural}.${freed} ${ownCommand}`)
        .argument('<id-or-name...>', `ID or exact name of the ${singular}`)
        .option('-y, --yes', 'do not prompt'),
      [
        [`orgctl ${kind} delete ${noun.exampleName}`, 'prompts first'],
        [`orgctl ${kind} delete ${noun.exampleName} --yes`, 'in a script'],
      ],
      { calls: 'service', writes: ['service'], asks: 'first, unless --yes', exits: ['partial'] },
    ).action((texts, options) => deleteResources(noun, texts, options, context, guard));
    if (guard !== undefined) command.option(...guard.option);
  };
}

async function deleteResources(
  noun: ResourceCommand,
  texts: readonly string[],
  options: DeleteOptions,
  context: DeleteContext,
  guard?: DeleteGuard,
): Promise<void> {
  const { resource } = noun;
  parseIdentifiers(resource, texts);
  const api = await apiForChange(changeView, texts.length === 1 ? 'value' : 'list', context);
  const named = await namedResources(resource, texts, api, context);
  if (options.yes || !canAsk(context)) requireWholeIds(resource, named, 'deleted');
  // An error must not suggest what else to delete.
  const targets = named.map((target) => ({ ...target, near: undefined }));
  const ids = targets.map(({ id }) => id);
  const asked = await guard?.confirm(targets, options, context);
  if (!options.yes && !(asked && ids.length === 1)) await confirmDeletion(noun, targets, api, context);
  const remove = async (target: NamedResource) => {
    // The guard has already dealt with the signing key.
    const options = { evenMine: guard !== undefined };
    const { delete: deleteOne, get } = api[resource.property];
    await orMissing(resource, target, (id) => deleteOne(id, options), get);
    return { result: 'deleted' };
  };
  const [target] = targets;
  if (texts.length === 1 && target !== undefined) {
    const row = { id: target.id, ...(await remove(target)) };
    const printing = printAnswer(row, changeView, context);
    return adviseIfUnwritten(printing, { hint: `${resource.singular} ${target.id} was deleted` });
  }
  const entries = targets.map((target) => ({ label: { id: target.id }, run: () => remove(target) }));
  return runBulk(entries, { what: `deleting ${resource.plural}`, noun: resource, view: changeView }, context);
}

async function confirmDeletion(
  noun: ResourceCommand,
  targets: readonly NamedResource[],
  api: Api,
  context: Pick<Context, 'prompt' | 'system' | 'streams' | 'settings'>,
): Promise<void> {
  const { prompt, settings } = context;
  const { singular, plural } = noun.resource;
  const first = targets.slice(0, maxDescribed);
  const named = canAsk(context)
    ? await Promise.all(first.map((target) => describeTarget(noun, target, api, targets.length === 1)))
    : first.map(({ id }) => id);
  const more = targets.length - first.length;
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const service = await describeService(settings());
  const what =
    targets.length === 1
      ? `${singular} ${list} on ${service}`
      : `${targets.length} ${plural} on ${service}: ${list}`;
  await (await prompt()).confirm(`Delete ${what}?`, {
    hint: 'pass --yes',
    declined: 'nothing was deleted',
  });
}

// How many resources the question describes: each may need a request.
const maxDescribed = 5;

/** Such as `"app" (db.example.com, conn_40b46949)`. @throws ServiceError `not_found` if the only target is missing */
async function describeTarget(
  { resource, place }: ResourceCommand,
  target: NamedResource,
  api: Api,
  isOnly: boolean,
): Promise<string> {
  const { id, found } = target;
  const shown: Resource | undefined =
    found ??
    (await orMissing(resource, target, api[resource.property].get).catch((error: unknown) => {
      if (isUnreadable(error)) return { id };
      if (!isOnly && error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    }));
  if (shown === undefined) return `${id} (not found)`;
  const where = place?.(shown);
  const name = typeof shown['name'] === 'string' ? shown['name'] : undefined;
  return name === undefined
    ? id
    : `${quoteName(name)} (${typeof where === 'string' ? `${shortenName(where)}, ` : ''}${id})`;
}
