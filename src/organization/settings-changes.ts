import { isResource, type Resource, readId } from '../api/resources/resource.js';
import { isOnlyId } from '../client/answers/assert-changed.js';
import { ServiceError } from '../errors/errors.js';
import { isHarmlessField } from '../redaction/harmless.js';

export interface Calls {
  update(id: string, patch: Resource): Promise<Resource>;
  get(id: string): Promise<Resource>;
  delete(id: string): Promise<void>;
}

/**
 * Changes settings of connections, one after another: the API reference does not say whether PATCH keeps settings that
 * the body omits, so the first loss ends them all.
 */
export class SettingsChanges {
  #last: Promise<unknown> = Promise.resolve();
  #hasLost = false;

  /** @throws ServiceError `server` if this change or an earlier one loses settings */
  run(before: Resource & { readonly id: string }, patch: Resource, calls: Calls): Promise<Resource> {
    // Another type has other settings.
    if (!isResource(before['config']) || 'type' in patch) return calls.update(before.id, patch);
    const running = this.#last.then(() => this.#run(before, patch, calls));
    // Its caller reports a failure.
    this.#last = running.catch(() => undefined);
    return running;
  }

  async #run(before: Resource & { readonly id: string }, patch: Resource, calls: Calls): Promise<Resource> {
    if (this.#hasLost)
      throw new ServiceError('server', 'not sent, because the service replaces all settings of a connection');
    const changed = await calls.update(before.id, patch);
    if (listLost(before, patch, changed).length === 0) return changed;
    // The response may show only what was sent.
    const lost = listLost(before, patch, await readAfter(before.id, calls));
    if (lost.length === 0) return changed;
    this.#hasLost = true;
    const what = `connection ${readId(before)} was changed, but the service dropped ${lost.join(', ')}`;
    const hint = 'give all settings, including the password: the service replaces them as a whole';
    throw new ServiceError('server', what, { retryable: false, hint });
  }
}

function listLost(before: Resource, patch: Resource, after: Resource): readonly string[] {
  if (isOnlyId(after)) return [];
  const [had, sent, shown] = [settingsOf(before), settingsOf(patch), settingsOf(after)];
  // A service may hide possible secrets in some responses.
  const names = Object.keys(had).filter((name) => isHarmlessField(name) && !Object.hasOwn(sent, name));
  return names.filter((name) => had[name] != null && shown[name] == null).map((name) => `config.${name}`);
}

async function readAfter(id: string, { get }: Calls): Promise<Resource> {
  const shown = await get(id).catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
  return shown ?? {};
}

function settingsOf({ config }: Resource): Resource {
  return isResource(config) ? config : {};
}
