import { resources } from '../api/resources/index.js';
import { type Resource, readId } from '../api/resources/resource.js';
import { outline } from '../client/reading/outline.js';
import { ServiceError } from '../errors/errors.js';

/** Yields items with unique IDs. @param what names them, such as `teams` @throws ServiceError `server` for any other */
export async function* distinctItems(items: AsyncIterable<Resource>, what: string): AsyncGenerator<Resource> {
  const seen = new Set<string>();
  for await (const item of items) {
    const id = readId(item);
    if (id === undefined) throw refuseList(what, `an item has no ID: ${outline(item, 'id')}`);
    if (seen.has(id)) throw refuseList(what, `the ID ${id} appears twice`);
    seen.add(id);
    yield item;
  }
}

function refuseList(what: string, why: string): ServiceError {
  return new ServiceError('server', `the list of ${what} is unreliable: ${why}`, {
    retryable: false,
    hint: `see what the service returns: orgctl ${nameKind(what)} list --all -o json`,
  });
}

function nameKind(plural: string): string {
  return resources.find((resource) => resource.plural === plural)?.kind ?? plural;
}
