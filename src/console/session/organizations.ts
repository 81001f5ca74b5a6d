import { computed, signal } from '@preact/signals';
import { api, type OrganizationItem } from './api.js';
import { sayError } from './notices.js';
import { chosenOrganization, setQuery } from './router.js';

/** Every organization with its quotas, as last loaded. */
export const organizations = signal<readonly OrganizationItem[]>([]);

export const currentOrganization = computed(
  () => organizations.value.find(({ id }) => id === chosenOrganization.value) ?? organizations.value[0],
);

export async function loadOrganizations(): Promise<void> {
  organizations.value = await api.organizations();
  const chosen = chosenOrganization.peek();
  if (chosen === undefined || currentOrganization.peek()?.id === chosen) return;
  setQuery({ organization: undefined, page: undefined });
  sayError(`Organization "${chosen}" not found.`);
}
