import {
  isResource,
  nameSchema,
  type Resource,
  toRowField,
  withFields,
} from '../../api/resources/resource.js';
import { checkValue } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { isOnlyId } from '../../client/answers/assert-changed.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { isHarmlessField } from '../../redaction/harmless.js';
import { type BulkRow, runBulk } from './bulk.js';
import { changeView, type Noun } from './noun.js';
import { adviseIfUnwritten, adviseSeeing, apiForChange, printAnswer } from './print.js';
import { findTargets, onTarget, parseIdentifiers, type Target } from './target.js';

interface Change {
  readonly texts: readonly string[];
  readonly patch: Resource;
}

/** Patches resources. Prints one resource whole, several as rows. @throws UsageError if several would get one name */
export async function updateResources(noun: Noun, { texts, patch }: Change, context: Context): Promise<void> {
  const { resource, view } = noun;
  const typed = parseIdentifiers(resource, texts);
  const { name } = patch;
  if (typeof name === 'string') requireName(name);
  if (name !== undefined && typed.length > 1) {
    throw new UsageError(`--name gives ${typed.length} ${resource.plural} the same name`, {
      hint: 'rename one at a time',
    });
  }
  const isOne = texts.length === 1;
  const api = await (isOne
    ? apiForChange(view, 'value', context)
    : apiForChange(changeView, 'list', context));
  const targets = await findTargets(resource, texts, api, context);
  const update = await updater(noun, patch, context);
  const [only] = targets;
  if (isOne && only !== undefined) {
    const changed = await update(only);
    const advice = adviseSeeing(resource, { id: only.id }, 'changed');
    return adviseIfUnwritten(printAnswer(changed, view, context), advice);
  }
  const entries = targets.map((target) => ({
    label: { id: target.id },
    run: async (): Promise<BulkRow> => ({ result: 'updated', [toRowField(resource)]: await update(target) }),
  }));
  const what = `changing ${resource.plural}`;
  return runBulk(entries, { what, noun: resource, view: changeView }, context);
}

/** Changes one resource. Settings are first changed alone, and then only if the service kept the others. */
async function updater({ resource }: Noun, patch: Resource, context: Context) {
  const { get, update: patchOne } = (await context.api())[resource.property];
  const hasSettings = 'config' in resource.patch.def.shape;
  let first: Promise<unknown> | undefined;
  let hasLost = false;
  /** The former values reveal whether the service dropped settings. */
  const readFormer = async ({ id, found, isAbsent }: Target): Promise<Resource> => {
    // Some services' lists do not show settings.
    if (isAbsent || !hasSettings || isResource(found?.['config'])) return found ?? {};
    const shown: Resource = (await get(id).catch(unlessService)) ?? {};
    const { config } = shown;
    // Settings that the service shows beside the name are not enumerable.
    return withFields(found ?? {}, { ...shown, ...(isResource(config) && { config }) });
  };
  const update = async (target: Target, before: Resource): Promise<Resource> => {
    if (hasLost)
      throw new ServiceError('server', 'not sent: the service replaces all settings of a connection');
    const changed = await onTarget<Resource>(resource, target, (id) => patchOne(id, patch));
    if (listLost(before, patch, changed).length === 0) return changed;
    // The response may show only what was sent.
    const lost = listLost(before, patch, (await get(target.id).catch(unlessService)) ?? {});
    if (lost.length === 0) return changed;
    hasLost = true;
    const what = `${resource.singular} ${target.id} was changed, but the service dropped ${lost.join(', ')}`;
    const hint = 'give all settings, including the password: the service replaces them as a whole';
    throw new ServiceError('server', what, { retryable: false, hint });
  };
  return async (target: Target): Promise<Resource> => {
    const before = await readFormer(target);
    if (!isResource(before['config'])) return update(target, before);
    if (first !== undefined) {
      await first;
      return update(target, before);
    }
    const changing = update(target, before);
    first = changing.catch(() => undefined);
    return changing;
  };
}

/** Settings that the service dropped, such as `config.user`; none if `after` shows nothing but an ID. */
function listLost(before: Resource, patch: Resource, after: Resource): readonly string[] {
  // Another type has other settings.
  if (isOnlyId(after) || 'type' in patch || !isResource(before['config'])) return [];
  const sent = isResource(patch['config']) ? patch['config'] : {};
  const shown = isResource(after['config']) ? after['config'] : {};
  return Object.entries(before['config']).flatMap(([name, value]) => {
    // A service may hide possible secrets in some responses.
    const mayBeHidden = !isHarmlessField(name) || Object.hasOwn(sent, name);
    return mayBeHidden || value == null || shown[name] != null ? [] : [`config.${name}`];
  });
}

/** `undefined` if the service cannot show a resource: then there is nothing to compare. */
function unlessService(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}

/** Checks a name before anything is sent. @throws UsageError, for example for an empty or too long one */
export function requireName(name: string): void {
  const checked = checkValue(nameSchema, name);
  if ('misfit' in checked) throw new UsageError(`the name ${checked.misfit}`);
}
