import { isResource, nameSchema, type Resource, toRowField } from '../../api/resources/resource.js';
import { checkValue } from '../../api/schema/schema.js';
import type { Context } from '../../cli/context.js';
import { isOnlyId } from '../../client/answers/assert-changed.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { isHarmlessField } from '../../redaction/harmless.js';
import { type BulkRow, runBulk } from './bulk.js';
import { requireChangeable } from './confirm.js';
import { changeView, type Noun } from './noun.js';
import { printAnswer } from './print.js';
import { findTargets, onTarget, type Target, unlessService } from './target.js';

export async function updateResources(
  noun: Noun,
  texts: readonly string[],
  patch: Resource,
  context: Context,
): Promise<void> {
  const { resource, view } = noun;
  const { name } = patch;
  const isOne = texts.length === 1;
  if (Object.keys(patch).length === 0) throw new UsageError('nothing to change: give at least one option');
  if (typeof name === 'string') requireName(name);
  const what = `--name gives ${texts.length} ${resource.plural} the same name`;
  if (name !== undefined && !isOne) throw new UsageError(what, { hint: 'rename one at a time' });
  await (isOne ? requireChangeable(view, context) : requireChangeable(changeView, context));
  const targets = await findTargets(resource, texts, context);
  // A new type has other settings, so former ones may go.
  const mayLose = 'config' in resource.patch.def.shape && !('type' in patch);
  const update = await updater(noun, patch, mayLose, context);
  const [only] = targets;
  if (isOne && only !== undefined) {
    await printAnswer(await update(only), view, context);
    return;
  }
  const entries = targets.map((target) => ({
    label: { id: target.id },
    run: async (): Promise<BulkRow> => ({ result: 'updated', [toRowField(resource)]: await update(target) }),
  }));
  const options = { what: `changing ${resource.plural}`, noun: resource, view: changeView };
  // Changes the first resource alone, and others only if the service keeps settings that are not sent.
  return runBulk(mayLose ? [entries.slice(0, 1), entries.slice(1)] : [entries], options, context);
}

async function updater({ resource }: Noun, patch: Resource, mayLose: boolean, context: Context) {
  const { get, update: patchOne } = (await context.api())[resource.property];
  const changes = new SettingsChanges(get);
  return async (target: Target): Promise<Resource> => {
    const { id, found, isAbsent } = target;
    // Some services' lists do not show settings.
    const isKnown = isAbsent || !mayLose || isResource(found?.['config']);
    const before = isKnown ? found : await get(id).catch(unlessService);
    const change = () => onTarget<Resource>(resource, target, (at) => patchOne(at, patch));
    return changes.run(id, before, patch, change);
  };
}

/**
 * Changes connections until the service drops settings that were not sent: the API reference does not say whether PATCH
 * keeps them.
 */
export class SettingsChanges {
  readonly #get: (id: string) => Promise<Resource>;
  hasLost = false;

  constructor(get: (id: string) => Promise<Resource>) {
    this.#get = get;
  }

  /** @throws ServiceError `server` if this change or an earlier one lost settings */
  async run(id: string, before: Resource | undefined, patch: Resource, change: () => Promise<Resource>) {
    // Another type has other settings.
    if ('type' in patch) return change();
    if (this.hasLost) throw new ServiceError('server', 'not sent: the service replaces all settings');
    const changed = await change();
    if (listLost(before, patch, changed).length === 0) return changed;
    // The response may show only what was sent; a service without GET by ID shows no more.
    const lost = listLost(before, patch, (await this.#get(id).catch(unlessService)) ?? {});
    if (lost.length === 0) return changed;
    this.hasLost = true;
    const what = `connection ${id} was changed, but the service dropped ${lost.join(', ')}`;
    const hint = 'give all settings, including the password';
    throw new ServiceError('server', what, { retryable: false, hint });
  }
}

/** Settings that the service dropped, such as `config.user`; none if nothing shows the resource: `{}`. */
function listLost(before: Resource | undefined, patch: Resource, after: Resource): readonly string[] {
  if (!isResource(before?.['config']) || isOnlyId(after)) return [];
  const sent = isResource(patch['config']) ? patch['config'] : {};
  const shown = isResource(after['config']) ? after['config'] : {};
  return Object.entries(before['config']).flatMap(([name, value]) => {
    // A service may hide possible secrets in some responses.
    const mayBeHidden = !isHarmlessField(name) || Object.hasOwn(sent, name);
    return mayBeHidden || value == null || shown[name] != null ? [] : [`config.${name}`];
  });
}

export function requireName(name: string): void {
  const checked = checkValue(nameSchema(), name);
  if ('misfit' in checked) throw new UsageError(`the name: ${checked.misfit}`);
}
