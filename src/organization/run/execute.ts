import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId, toRowField } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import { mayBeDone } from '../../commands/api-keys/create-key.js';
import type { SecretSink } from '../../commands/api-keys/secret-sink.js';
import { isUnread } from '../../commands/resource/attempts.js';
import { type BulkEntry, type BulkRow, runStages, type Stage } from '../../commands/resource/bulk.js';
import { maskedAnswer, withMaskedSettings } from '../../commands/resource/create.js';
import type { PlacedReference } from '../../input/forms/secret-reference.js';
import { printJson } from '../../text/exact-json.js';
import { type KnownIds, knownFrom } from '../../verbs/resource/new-resource.js';
import { SettingsChanges } from '../../verbs/resource/settings-changes.js';
import { assertRenamed, isOtherType } from '../../verbs/resource/stored-name.js';
import { settingsWith } from '../declaration/organization-file.js';
import { creationFields, type KindPlan, type PlanStep } from '../plan/plan.js';
import { readKind } from '../read/existing-resources.js';
import type { FileEntry } from '../read/file-entry.js';
import { adviseEnabling } from '../show/advise-enabling.js';
import { stepView } from '../show/step-view.js';
import { createKey, createPlanned } from './create-resource.js';
import { deleteResource } from './delete-resource.js';
import { Duplicates } from './duplicates.js';
import { listDeletions } from './first-deletions.js';
import { listFreeing, orderByNames, readFreedName, readNeededName } from './order-by-names.js';
import type { Secrets } from './references.js';

export interface Ready {
  readonly secrets: Secrets;
  readonly targets: ReadonlyMap<FileEntry, SecretSink>;
  /** Deletions that make room in the quota for creations. */
  readonly firstDeletions: ReadonlySet<PlanStep>;
}

/** The state in which the next run finds the organization. */
export interface Left {
  /** A resource may have been created that the service does not list yet. */
  readonly mayHaveCreated: boolean;
  /** The service changed a name from the file, so the next run would not find the resource. */
  readonly hasOtherNames: boolean;
  /** Kinds with duplicate names that the next run would refuse. */
  readonly duplicateKinds: readonly DeclaredResource[];
  /** A change for which the service dropped other settings; it would drop them again in the next run. */
  readonly lossyChange: (PlanStep & { readonly action: 'change' }) | undefined;
}

type ExecuteContext = Pick<Context, 'printer' | 'profiles' | 'progress' | 'signal' | 'streams' | 'note'>;

/**
 * For each kind, makes room in the quota, then creates and changes. Deletes the rest last. After a failure, deletes only
 * duplicates. @throws as `runBulk`
 * @param advise how to continue after a failure
 */
export async function execute(
  plans: readonly KindPlan[],
  ready: Ready,
  advise: (left: Left, failures: readonly unknown[]) => string,
  api: Api,
  context: ExecuteContext,
): Promise<void> {
  const run = new Execution(ready, api, context);
  const isEarly = (step: PlanStep) => ready.firstDeletions.has(step);
  const first = plans.flatMap((plan) => [
    run.stage(plan.steps.filter(isEarly)),
    ...run.creations(plan),
    run.duplicates.stageFor(plan.resource),
  ]);
  const last = plans.flatMap(({ steps }) => {
    const freeing = listFreeing(steps);
    return listDeletions(steps).filter((step) => !freeing.has(step) && !isEarly(step));
  });
  const hint = (failures: readonly unknown[]) => advise(run, failures);
  const byHand = adviseEnabling(plans);
  const noun = { singular: 'change', plural: 'changes' };
  const options = { what: 'applying the file', noun, view: stepView, hint, byHand, everyRow: true };
  await runStages([...first, run.stage(last)], options, context);
}

class Execution implements Left {
  readonly duplicates: Duplicates;
  mayHaveCreated = false;
  hasOtherNames = false;
  lossyChange: Left['lossyChange'];
  readonly #settings = new SettingsChanges();
  readonly #ready: Ready;
  readonly #api: Api;
  readonly #context: ExecuteContext;
  readonly #readSecret = ({ reference }: PlacedReference) => this.#ready.secrets.secretOf(reference);
  #hasFailed = false;
  readonly #knownIds = new Map<DeclaredResource, KnownIds>();
  /** Names that failed renames and deletions did not free, with the IDs of the resources that have them. */
  readonly #held = new Map<DeclaredResource, Map<unknown, unknown>>();

  constructor(ready: Ready, api: Api, context: ExecuteContext) {
    this.#ready = ready;
    this.#api = api;
    this.#context = context;
    this.duplicates = new Duplicates(api, context);
  }

  get duplicateKinds(): readonly DeclaredResource[] {
    return [...this.duplicates.left];
  }

  stage(steps: readonly PlanStep[]): Stage {
    return { count: steps.length, entries: async () => steps.map((step) => this.#entry(step)) };
  }

  /** Stages of creations, changes, and deletions that free a needed name. */
  creations({ resource, steps }: KindPlan): readonly Stage[] {
    const freeing = listFreeing(steps);
    const isLate = (step: PlanStep) => freeing.has(step) && !this.#ready.firstDeletions.has(step);
    const rest = steps.filter((step) => step.action !== 'delete' || isLate(step));
    const mayCreate = resource.kind !== apiKeys.kind && rest.some(({ action }) => action === 'create');
    return orderByNames(rest).map((some, at) => ({
      count: some.length,
      entries: async () => {
        if (mayCreate && at === 0 && !this.#context.signal.aborted) {
          // After a lost response, this list shows which resource is new. Without it, the outcome stays unknown.
          const found = await readKind(resource, this.#api, this.#context).catch(() => undefined);
          if (found !== undefined) this.#knownIds.set(resource, knownFrom(found));
        }
        return some.map((step) => this.#entry(step));
      },
    }));
  }

  #entry(step: PlanStep): BulkEntry {
    const { id } = 'existing' in step ? step.existing : {};
    return {
      label: { kind: step.resource.kind, name: step.name, ...(id === undefined ? {} : { id }) },
      run: async () => {
        // Otherwise a step would blame another that was not tried either.
        if (this.#context.signal.aborted) return { result: 'not tried', error: 'interrupted' };
        const holder = this.#held.get(step.resource)?.get(readNeededName(step));
        if (holder !== undefined) {
          this.#hold(step);
          return { result: 'not tried', error: `${holder} may still have this name` };
        }
        try {
          return await this.#runStep(step);
        } catch (error) {
          this.#hold(step);
          throw error;
        }
      },
    };
  }

  /** Records that a step was not done: another step may need the name that it would have freed. */
  #hold(step: PlanStep): void {
    this.#hasFailed = true;
    const name = readFreedName(step);
    if (name === undefined || !('existing' in step)) return;
    const held = this.#held.get(step.resource) ?? new Map<unknown, unknown>();
    this.#held.set(step.resource, held.set(name, step.existing.id));
  }

  async #runStep(step: PlanStep): Promise<BulkRow> {
    const { resource } = step;
    const calls = this.#api[resource.property];
    switch (step.action) {
      case 'create':
        return this.#create(step);
      case 'change': {
        const changing = this.#settings.run({
          before: step.existing,
          patch: step.patch,
          update: () => this.#change(step),
          get: () => calls.get(step.existing.id),
          findInList: async () => (await calls.lookInList(step.existing.id)).item,
        });
        const changed = await changing.catch((error: unknown) => {
          if (this.#settings.haveLost) this.lossyChange ??= step;
          throw error;
        });
        const row = { result: 'changed', [toRowField(resource)]: withMaskedSettings(changed) };
        return this.#asNamed(row, changed, step.patch['name']);
      }
      case 'delete':
        if (this.#hasFailed || this.duplicates.left.size > 0) {
          this.#hold(step);
          return { result: 'not tried', error: 'an earlier step failed' };
        }
        await deleteResource(resource, step.existing.id, this.#api, this.#context);
        return { result: 'deleted' };
      case 'enable':
        return { result: 'not tried', error: 'the API cannot enable a key' };
    }
  }

  /** Changes a resource, and returns it even if the service stored another name. */
  async #change(step: PlanStep & { readonly action: 'change' }): Promise<Resource> {
    const calls = this.#api[step.resource.property];
    const { id, name: former } = step.existing;
    const sent = step.patch['name'];
    try {
      const changed: Resource = await calls.update(id, this.#patch(step));
      const { name } = changed;
      this.hasOtherNames ||= sent !== undefined && typeof name === 'string' && name !== sent;
      assertRenamed(step.resource, changed, sent, step.existing);
      return changed;
    } catch (error) {
      if (sent === undefined || !isUnread(error)) throw error;
      const seen: Resource = await calls.get(id).catch(() => Promise.reject(error));
      if ([sent, former, undefined].includes(seen['name'])) throw error;
      return seen;
    }
  }

  async #create(step: PlanStep & { readonly action: 'create' }): Promise<BulkRow> {
    const { resource, entry } = step;
    const { name } = entry.entry;
    const body = { ...creationFields(resource, entry.entry, this.#readSecret), name };
    const target = this.#ready.targets.get(entry);
    if (resource.kind !== apiKeys.kind || target === undefined) {
      const known = this.#knownIds.get(resource);
      const creation = createPlanned(resource, body, known, this.#api, this.#context);
      const { created, isCertain } = await creation.catch((error: unknown) => {
        this.mayHaveCreated ||= mayBeDone(error) || isUnread(error);
        throw error;
      });
      const id = readId(created);
      this.duplicates.made(resource, name, { id }, isCertain);
      const row = { result: 'created', id, [toRowField(resource)]: withMaskedSettings(created) };
      return this.#asNamed(this.#asTyped(row, created, body), created, name);
    }
    const { key, kept, doubt } = await createKey(body, target, this.#api, this.#context);
    this.duplicates.made(resource, name, key);
    await this.#context.note(kept);
    if (doubt !== undefined) {
      this.mayHaveCreated = true;
      throw doubt;
    }
    const shown = entry.entry['enabled'] === false ? await this.#disabled(key) : key;
    const row = { result: 'created', id: readId(key), [toRowField(resource)]: maskedAnswer(shown) };
    return this.#asNamed(row, key, name);
  }

  /** Fails the row if the service changed the name: the next run would not find the resource. */
  #asNamed(row: BulkRow, { name }: Resource, sent: unknown): BulkRow {
    if (sent === undefined || name === undefined || name === sent) return row;
    this.#hasFailed = true;
    this.hasOtherNames = true;
    const error = `${row['result']} as ${printJson(name)}, although ${printJson(sent)} was sent: write the service's name in the file`;
    return { ...row, result: 'failed', code: 'server', error };
  }

  /** Fails the row if the service changed the type: the next run would change it again. */
  #asTyped(row: BulkRow, { type }: Resource, sent: Resource): BulkRow {
    if (!isOtherType(type, sent['type'])) return row;
    this.#hasFailed = true;
    const [own, wanted] = [type, sent['type']].map((one) => printJson(one));
    const error = `created with the type ${own}, although ${wanted} was sent: write the service's type in the file`;
    return { ...row, result: 'failed', code: 'server', error };
  }

  /** Adds the file's secrets to the patch. */
  #patch({ entry, patch, sent }: PlanStep & { readonly action: 'change' }): Resource {
    if (sent.length === 0) return patch;
    const settings = Object.entries(settingsWith(entry.entry, this.#readSecret));
    const secrets = settings.filter(([name]) => sent.includes(`config.${name}`));
    return { ...patch, config: { ...Object(patch['config']), ...Object.fromEntries(secrets) } };
  }

  #disabled({ id }: Resource): Promise<Resource> {
    return this.#api.apiKeys.update(String(id), { enabled: false });
  }
}
