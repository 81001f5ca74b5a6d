import { apiKeys } from '../api/resources/api-key.js';
import { connections } from '../api/resources/connection.js';
import { type Resource, readId, toRowField } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import { creationDoubts } from '../client/answers/outcome.js';
import type { Api } from '../client/api.js';
import { mayBeDone, requestKey, type SecretSink, withoutSecret } from '../commands/api-keys/create.js';
import { type BulkRow, runBulk } from '../commands/resource/bulk.js';
import { maskedAnswer, withMaskedSettings } from '../commands/resource/create.js';
import { rescueSecret } from '../commands/resource/print.js';
import { SettingsChanges } from '../commands/resource/update.js';
import { OrgctlError, readMessage, ServiceError } from '../errors/errors.js';
import type { KindPlan } from './plan.js';
import type { FileEntry } from './read-file.js';
import type { Secrets } from './secrets.js';
import { stepView } from './show.js';
import { bodyOf, type PlanStep } from './step.js';

export interface Ready {
  readonly secrets: Secrets;
  readonly targets: ReadonlyMap<FileEntry, SecretSink>;
  readonly firstDeletions: ReadonlySet<PlanStep>;
  readonly isSavedPlan: boolean;
}

/**
 * For each kind, deletes what the quota needs as room, then changes, then creates. Other deletions come last, and not
 * after a failure: the next run reads the service again and continues. @throws like `runBulk`
 */
export async function execute(
  plans: readonly KindPlan[],
  ready: Ready,
  api: Api,
  context: Context,
): Promise<void> {
  const execution = new Execution(ready, api, context);
  const isFirst = (step: PlanStep) => ready.firstDeletions.has(step);
  const stages = [
    ...plans.flatMap(({ resource, steps }) => {
      const changes = steps.filter(({ value: { action } }) => action !== 'create' && action !== 'delete');
      return [
        steps.filter(isFirst),
        // One after another, so that at most one connection loses settings.
        ...(resource.kind === connections.kind ? changes.map((one) => [one]) : [changes]),
        steps.filter(({ value }) => value.action === 'create'),
      ];
    }),
    plans.flatMap(({ steps }) => steps.filter((one) => one.value.action === 'delete' && !isFirst(one))),
  ];
  const entries = stages.map((steps) =>
    steps.map((step) => {
      const { kind, name, id } = step.value;
      return { label: { kind, name, ...(id !== undefined && { id }) }, run: () => execution.run(step) };
    }),
  );
  const hint = () => {
    if (execution.settings.hasLost)
      return 'see the rows above; every further run would damage another connection';
    const again = ready.isSavedPlan ? 'make a new plan and apply it' : 'run the same command to continue';
    return `see the rows above, then ${again}; if an outcome is unknown, wait a minute first`;
  };
  const noun = { singular: 'change', plural: 'changes' };
  await runBulk(entries, { what: 'applying the file', noun, view: stepView, hint }, context);
}

class Execution {
  readonly settings: SettingsChanges;
  readonly #ready: Ready;
  readonly #api: Api;
  readonly #context: Context;
  #hasFailed = false;

  constructor(ready: Ready, api: Api, context: Context) {
    this.settings = new SettingsChanges(api.connections.get);
    this.#ready = ready;
    this.#api = api;
    this.#context = context;
  }

  async run(step: PlanStep): Promise<BulkRow> {
    // Otherwise deletions would say that a step failed that was only interrupted.
    if (this.#context.signal.aborted) return { result: 'not tried', error: 'interrupted' };
    return this.#runStep(step).catch((error: unknown) => {
      this.#hasFailed = true;
      throw error;
    });
  }

  async #runStep(step: PlanStep): Promise<BulkRow> {
    const { existing, entry, value } = step;
    if (value.action === 'enable') return { result: 'not tried', error: 'the API cannot enable a key' };
    if (existing === undefined) return this.#create(step);
    const calls = this.#api[step.resource.property];
    const { id } = existing;
    if (entry === undefined) return this.#delete(() => calls.delete(id));
    const patch = bodyOf(step, this.#ready.secrets.secretOf);
    const change = () => calls.update(id, patch);
    const isConnection = step.resource.kind === connections.kind;
    const changed = await (isConnection ? this.settings.run(id, existing, patch, change) : change());
    return { result: 'changed', [toRowField(step.resource)]: withMaskedSettings(changed) };
  }

  async #create(step: PlanStep): Promise<BulkRow> {
    const { resource, entry, value } = step;
    const body = { ...bodyOf(step, this.#ready.secrets.secretOf), name: value.name };
    const { create }: { create(input: unknown): Promise<Resource> } = this.#api[resource.property];
    const target = entry && this.#ready.targets.get(entry);
    const created = await (target === undefined
      ? create(body)
      : createKey(body, target, this.#api, this.#context));
    const isKey = resource.kind === apiKeys.kind;
    const isDisabled = isKey && entry?.entry['enabled'] === false;
    const stored = isDisabled ? await this.#disable(String(created['id'])) : created;
    const shown = isKey ? maskedAnswer(stored) : withMaskedSettings(stored);
    return { result: 'created', id: readId(created), [toRowField(resource)]: shown };
  }

  #disable(id: string): Promise<Resource> {
    return this.#api.apiKeys.update(id, { enabled: false }).catch((error: unknown) => {
      if (error instanceof OrgctlError)
        error.message = `the key ${id} was created, but not disabled: ${error.message}`;
      throw error;
    });
  }

  async #delete(remove: () => Promise<void>): Promise<BulkRow> {
    if (this.#hasFailed) return { result: 'not tried', error: 'an earlier step failed' };
    await remove().catch((error: unknown) => {
      // A 404 may also mean that the service has no such call.
      if (!(error instanceof ServiceError) || error.details.status !== 410) throw error;
    });
    return { result: 'deleted' };
  }
}

/** Creates a key and stores its secret, at worst in a recovery file. @throws afterwards for `creationDoubts`, too */
async function createKey(
  body: Resource & { readonly name: string },
  sink: SecretSink,
  api: Api,
  context: Context,
): Promise<Resource> {
  const key = await requestKey(body, api, true, context).catch((error: unknown) => {
    // The next run would see the key, but not that its secret is lost.
    if (mayBeDone(error) && error instanceof OrgctlError)
      error.message += `; if a key named ${JSON.stringify(body.name)} now exists, its secret is not where the file says: delete the key before the next run`;
    throw error;
  });
  const kept = await sink.keep(key).catch(async (error: unknown) => {
    await rescueSecret(key, 'the secret could not be stored in its place', context);
    const what = `the key ${key.id} was created, but its secret could not be stored (${readMessage(error)}); the warning says where it is`;
    throw new ServiceError('server', what, { cause: error });
  });
  await context.note(kept);
  const doubt = creationDoubts.get(key);
  if (doubt !== undefined) throw doubt;
  return withoutSecret(key);
}
