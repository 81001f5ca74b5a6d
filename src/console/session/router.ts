import { computed, signal } from '@preact/signals';

export const views = ['overview', 'keys', 'connections', 'teams', 'api', 'requests', 'bench', 'lab'] as const;
export type View = (typeof views)[number];

/** The part of a query that stays from view to view: whose data is looked at. */
const lasting = 'organization';

const address = signal(location.hash);
addEventListener('hashchange', () => {
  address.value = location.hash;
});

export const route = computed(() => {
  const [path = '', query = ''] = address.value.replace(/^#\/?/, '').split('?', 2);
  return { view: views.find((view) => view === path) ?? 'overview', query: new URLSearchParams(query) };
});

/** The organization that is looked at; `undefined` for the server's first. */
export const chosenOrganization = computed(() => route.value.query.get(lasting) ?? undefined);

export function hrefOf(view: View, query: Readonly<Record<string, string | undefined>> = {}): string {
  const all = { [lasting]: chosenOrganization.value, ...query };
  const given = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? `#/${view}` : `#/${view}?${new URLSearchParams(given)}`;
}

/** Changes parts of the query where one is, without a step for the way back: typing a filter is no journey. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { view, query } = route.peek();
  history.replaceState(null, '', hrefOf(view, { ...Object.fromEntries(query), ...changes }));
  address.value = location.hash;
}
