import { computed, signal } from '@preact/signals';
import { type PlainKind, plainKinds } from '../../api/resources/plain-kinds.js';

/** Kinds of resources without a view of their own. */
export const plain: readonly PlainKind[] = plainKinds();

/** Titles, by the views' names in the address. */
export const viewNames: Readonly<Record<string, string>> = {
  overview: 'Overview',
  requests: 'Requests',
  keys: 'API keys',
  connections: 'Connections',
  ...Object.fromEntries(plain.map(({ kind, plural }) => [kind, labelField(plural)])),
  'test-controls': 'Test controls',
};

/** Such as `Last used` for `last_used` and `API keys` for `api-keys`. */
export function labelField(name: string): string {
  const words = name.replace(/^api/, 'API').replaceAll(/[_-]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const address = signal(location.hash);
addEventListener('hashchange', () => {
  address.value = location.hash;
});

export const route = computed(() => {
  const [path = '', query = ''] = address.value.replace(/^#\/?/, '').split('?', 2);
  return { view: Object.hasOwn(viewNames, path) ? path : 'overview', query: new URLSearchParams(query) };
});

/** An ID; `undefined` for the server's first organization. */
export const chosenOrganization = computed(() => route.value.query.get('organization') ?? undefined);

/** A link to a view; omits empty parameters. */
export function toHref(view: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { organization: chosenOrganization.value, ...query };
  const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? `#/${view}` : `#/${view}?${new URLSearchParams(given)}`;
}

/** Changes query parameters without a history entry: typing a filter is not navigation. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, query } = route.peek();
  history.replaceState(null, '', toHref(view, { ...Object.fromEntries(query), ...changes }));
  address.value = location.hash;
}
