import { computed, signal } from '@preact/signals';
import { type PlainKind, plainKinds } from '../../api/resources/plain-kinds.js';

/** Views with their own code, named as in the address. The other views show plain kinds of resources. */
export type OwnView = (typeof ownViews)[number];
export type ViewName = OwnView | PlainKind['kind'];

const aboveKinds = ['overview', 'keys', 'connections'] as const;
const belowKinds = ['api', 'requests', 'test-controls'] as const;
const ownViews = [...aboveKinds, ...belowKinds];

export const kinds: readonly PlainKind[] = plainKinds();

const views: readonly ViewName[] = [...aboveKinds, ...kinds.map(({ kind }) => kind), ...belowKinds];

export const proxyViews: readonly ViewName[] = ['requests'];

export function isOwnView(view: ViewName): view is OwnView {
  return ownViews.some((own) => own === view);
}

/** The query parameter that all views share. */
const lasting = 'organization';

const address = signal(location.hash);
addEventListener('hashchange', () => {
  address.value = location.hash;
});

export const route = computed(() => {
  const [path = '', query = ''] = address.value.replace(/^#\/?/, '').split('?', 2);
  return { view: views.find((view) => view === path) ?? 'overview', query: new URLSearchParams(query) };
});

/** The shown organization; `undefined` for the server's first. */
export const chosenOrganization = computed(() => route.value.query.get(lasting) ?? undefined);

export function toHref(view: ViewName, query: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { [lasting]: chosenOrganization.value, ...query };
  const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? `#/${view}` : `#/${view}?${new URLSearchParams(given)}`;
}

/** Changes query parameters without a history entry: typing a filter is not navigation. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, query } = route.peek();
  history.replaceState(null, '', toHref(view, { ...Object.fromEntries(query), ...changes }));
  address.value = location.hash;
}
