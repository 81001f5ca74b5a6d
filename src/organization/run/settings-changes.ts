import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { isOnlyId } from '../../client/answers/assert-changed.js';
import { ServiceError } from '../../errors/errors.js';
import { isHarmlessField } from '../../redaction/harmless.js';

interface SettingsChange {
  /** The resource before the change, as far as it is known. */
  readonly before: Resource;
  readonly patch: Resource;
  readonly update: () => Promise<Resource>;
  readonly get: () => Promise<Resource>;
  readonly findInList: () => Promise<Resource | undefined>;
}

/**
 * Changes settings of connections, one after another: the API reference does not say whether PATCH keeps settings that
 * the body omits, so the first loss ends them all.
 */
export class SettingsChanges {
  #last: Promise<unknown> = Promise.resolve();
  #loss: ServiceError | undefined;

  /** @throws ServiceError `server` if this change or an earlier one loses settings */
  run(change: SettingsChange): Promise<Resource> {
    // Another type has other settings.
    if (!isResource(change.before['config']) || 'type' in change.patch) return change.update();
    const running = this.#last.then(() => {
      if (this.#loss === undefined) return this.#run(change);
      throw new ServiceError('server', 'not sent, because the service replaces all settings of a connection');
    });
    // Its caller reports a failure.
    this.#last = running.catch(() => undefined);
    return running;
  }

  async #run({ before, patch, update, ...reading }: SettingsChange): Promise<Resource> {
    const changed = await update();
    if (listLost(before, patch, changed).length === 0) return changed;
    // The response may show only what was sent.
    const lost = listLost(before, patch, await readAfter(reading));
    if (lost.length === 0) return changed;
    this.#loss = new ServiceError(
      'server',
      `connection ${readId(before)} was changed, but the service dropped ${lost.join(', ')}`,
      {
        retryable: false,
        hint: 'give all settings, including the password: the service replaces them as a whole',
      },
    );
    throw this.#loss;
  }
}

/** Settings that the service dropped, such as `config.user`; none if `after` shows nothing but an ID. */
function listLost(before: Resource, patch: Resource, after: Resource): readonly string[] {
  if (isOnlyId(after)) return [];
  const [had, sent] = [settingsOf(before), settingsOf(patch)];
  const shown = settingsOf(after);
  // A service may hide possible secrets in some responses.
  const names = Object.keys(had).filter((name) => isHarmlessField(name) && !Object.hasOwn(sent, name));
  return names.filter((name) => !isEmpty(had[name]) && isEmpty(shown[name])).map((name) => `config.${name}`);
}

async function readAfter({ get, findInList }: Pick<SettingsChange, 'get' | 'findInList'>): Promise<Resource> {
  const shown = await get().catch(unlessService);
  if (shown !== undefined && !isOnlyId(shown)) return shown;
  const listed = await findInList();
  // Some services' lists do not show settings.
  return isResource(listed?.['config']) ? listed : {};
}

function settingsOf({ config }: Resource): Resource {
  return isResource(config) ? config : {};
}

/** `undefined` if the service cannot show a resource: then there is nothing to compare. */
function unlessService(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}
