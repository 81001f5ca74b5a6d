import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId, toRowField } from '../../api/resources/resource.js';
import { isSameValue } from '../../api/resources/same-value.js';
import type { Context } from '../../cli/context.js';
import type { Api } from '../../client/api.js';
import type { SecretSink } from '../../commands/api-keys/secret-sink.js';
import { type BulkEntry, type BulkRow, runBulk } from '../../commands/resource/bulk.js';
import { maskedAnswer, withMaskedSettings } from '../../commands/resource/create.js';
import type { Advice } from '../../errors/advice.js';
import { OrgctlError } from '../../errors/errors.js';
import type { PlacedReference } from '../../input/forms/secret-reference.js';
import { printJson } from '../../text/exact-json.js';
import { settingsWith } from '../declaration/organization-file.js';
import { creationFields, type KindPlan, type PlanStep } from '../plan/plan.js';
import type { FileEntry } from '../read/file-entry.js';
import { stepView } from '../show/step-view.js';
import { createKey } from './create-key.js';
import { deleteUnlessGone } from './delete-unless-gone.js';
import type { Secrets } from './secrets.js';
import { SettingsChanges } from './settings-changes.js';

export interface Ready {
  readonly secrets: Secrets;
  readonly targets: ReadonlyMap<FileEntry, SecretSink>;
  /** Deletions that make room in the quota for creations. */
  readonly firstDeletions: ReadonlySet<PlanStep>;
}

type StepOf<Action extends PlanStep['action']> = PlanStep & { readonly action: Action };

/**
 * For each kind, makes room in the quota, then changes, then creates. Deletes the rest last, and nothing after a failure:
 * the next run reads the service again and goes on. @throws as `runBulk`
 * @param advice what to do after a failure
 */
export async function execute(
  plans: readonly KindPlan[],
  ready: Ready,
  advice: Advice,
  api: Api,
  context: Context,
): Promise<void> {
  const execution = new Execution(ready, api, context);
  const isFirst = (step: PlanStep) => ready.firstDeletions.has(step);
  const isCreation = ({ action }: PlanStep) => action === 'create';
  const isDeletion = ({ action }: PlanStep) => action === 'delete';
  const stages = [
    ...plans.flatMap(({ steps }) => [
      steps.filter(isFirst),
      steps.filter((step) => !isCreation(step) && !isDeletion(step)),
      steps.filter(isCreation),
    ]),
    plans.flatMap(({ steps }) => steps.filter((step) => isDeletion(step) && !isFirst(step))),
  ];
  const noun = { singular: 'change', plural: 'changes' };
  const options = { what: 'applying the file', noun, view: stepView, ...advice };
  await runBulk(
    stages.map((steps) => execution.stage(steps)),
    options,
    context,
  );
}

class Execution {
  readonly #settings = new SettingsChanges();
  readonly #ready: Ready;
  readonly #api: Api;
  readonly #context: Context;
  readonly #readSecret = ({ reference }: PlacedReference) => this.#ready.secrets.secretOf(reference);
  #hasFailed = false;

  constructor(ready: Ready, api: Api, context: Context) {
    this.#ready = ready;
    this.#api = api;
    this.#context = context;
  }

  stage(steps: readonly PlanStep[]): readonly BulkEntry[] {
    return steps.map((step) => {
      const { id } = 'existing' in step ? step.existing : {};
      const label = { kind: step.resource.kind, name: step.name, ...(id === undefined ? {} : { id }) };
      return { label, run: () => this.#run(step) };
    });
  }

  async #run(step: PlanStep): Promise<BulkRow> {
    // Otherwise a step would blame another that was not tried either.
    if (this.#context.signal.aborted) return { result: 'not tried', error: 'interrupted' };
    try {
      const row = await this.#runStep(step);
      this.#hasFailed ||= row['result'] === 'failed';
      return row;
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #runStep(step: PlanStep): Promise<BulkRow> {
    switch (step.action) {
      case 'create':
        return this.#create(step);
      case 'change':
        return this.#change(step);
      case 'delete':
        return this.#delete(step);
      case 'enable':
        return { result: 'not tried', error: 'the API cannot enable a key' };
    }
  }

  async #create({ resource, entry: planned }: StepOf<'create'>): Promise<BulkRow> {
    const { entry } = planned;
    const body = { ...creationFields(resource, entry, this.#readSecret), name: entry.name };
    const target = this.#ready.targets.get(planned);
    const created = await (resource.kind === apiKeys.kind && target !== undefined
      ? createKey(body, target, this.#api, this.#context)
      : this.#post(resource, body));
    const id = readId(created);
    const isDisabled = resource.kind === apiKeys.kind && entry['enabled'] === false;
    const stored = isDisabled ? await this.#disable(String(created['id'])) : created;
    const shown = resource.kind === apiKeys.kind ? maskedAnswer(stored) : withMaskedSettings(stored);
    return asStored({ result: 'created', id, [toRowField(resource)]: shown }, created, body);
  }

  #disable(id: string): Promise<Resource> {
    return this.#api.apiKeys.update(id, { enabled: false }).catch((error: unknown) => {
      if (!(error instanceof OrgctlError)) throw error;
      throw Object.assign(error, {
        message: `the key ${id} was created, but not disabled: ${error.message}`,
      });
    });
  }

  #post({ property }: DeclaredResource, body: Resource): Promise<Resource> {
    const { create }: { create(input: unknown): Promise<Resource> } = this.#api[property];
    return create(body);
  }

  async #change(step: StepOf<'change'>): Promise<BulkRow> {
    const { resource, existing, patch } = step;
    const calls = this.#api[resource.property];
    const changed = await this.#settings.run({
      before: existing,
      patch,
      update: (): Promise<Resource> => calls.update(existing.id, this.#withSecrets(step)),
      get: () => calls.get(existing.id),
      findInList: async () => (await calls.lookInList(existing.id)).item,
    });
    const row = { result: 'changed', [toRowField(resource)]: withMaskedSettings(changed) };
    return asStored(row, changed, { name: patch['name'] });
  }

  #withSecrets({ entry, patch, sent }: StepOf<'change'>): Resource {
    if (sent.length === 0) return patch;
    const settings = Object.entries(settingsWith(entry.entry, this.#readSecret));
    const secrets = settings.filter(([name]) => sent.includes(`config.${name}`));
    return { ...patch, config: { ...Object(patch['config']), ...Object.fromEntries(secrets) } };
  }

  async #delete({ resource, existing }: StepOf<'delete'>): Promise<BulkRow> {
    if (this.#hasFailed) return { result: 'not tried', error: 'an earlier step failed' };
    await deleteUnlessGone(resource, existing.id, this.#api[resource.property]);
    return { result: 'deleted' };
  }
}

/** Fails the row if the service stored another name or type: the next run would not find it, or change it again. */
function asStored(row: BulkRow, stored: Resource, sent: Resource): BulkRow {
  const failed = (said: string, field: string) => {
    const error = `${row['result']} ${said} ${printJson(stored[field])}, although ${printJson(sent[field])} was sent: write the service's ${field} in the file`;
    return { ...row, result: 'failed', code: 'server', error };
  };
  const [name, wanted] = [stored['name'], sent['name']];
  if (wanted !== undefined && name !== undefined && name !== wanted) return failed('as', 'name');
  return isOtherType(stored['type'], sent['type']) ? failed('with the type', 'type') : row;
}

/** `pg` and `postgresql` are the same type. */
function isOtherType(stored: unknown, sent: unknown): boolean {
  return typeof sent === 'string' && typeof stored === 'string' && !isSameValue('type', sent, stored);
}
