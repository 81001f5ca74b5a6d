import { resources } from '../api/resources/index.js';
import { idOf, type Resource } from '../api/resources/resource.js';
import { ServiceError } from '../errors/errors.js';
import { ExactNumber } from '../text/exact-number.js';

/** Yields items with unique IDs. @param what names them, such as `teams` @throws ServiceError `server` at any other */
export async function* distinctItems(items: AsyncIterable<Resource>, what: string): AsyncGenerator<Resource> {
  const seen = new Set<string>();
  for await (const item of items) {
    const id = idOf(item);
    if (id === undefined) throw unusable(what, `an item has no ID: ${outlineOf(item)}`);
    if (seen.has(id)) throw unusable(what, `the ID ${id} is in it twice`);
    seen.add(id);
    yield item;
  }
}

function unusable(what: string, why: string): ServiceError {
  return new ServiceError('server', `the list of ${what} is nothing to plan on: ${why}`, {
    retryable: false,
    hint: `see what the service returns: orgctl ${kindOf(what)} list --all -o json`,
  });
}

function kindOf(plural: string): string {
  return resources.find((resource) => resource.plural === plural)?.kind ?? plural;
}

const mostFields = 8;

/** Fields and value types, such as `{ id: null, name: text }`, without values: they may be secrets. */
function outlineOf(item: Resource): string {
  const names = Object.keys(item);
  // The ID first: it is the problem.
  const first = names.toSorted((one, other) => Number(other === 'id') - Number(one === 'id'));
  const shown = first.slice(0, mostFields).map((name) => `${nameText(name)}: ${typeText(item[name])}`);
  return `{ ${[...shown, ...(names.length > shown.length ? ['…'] : [])].join(', ')} }`;
}

function nameText(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : JSON.stringify(`${name.slice(0, 40)}`);
}

function typeText(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'empty text';
  if (Array.isArray(value)) return 'list';
  if (value instanceof ExactNumber) return 'number';
  return typeof value === 'string' ? 'text' : typeof value;
}
