import { computed, signal } from '@preact/signals';
import type { CallAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { call } from './control.js';
import { chosenOrganization } from './route.js';

export const status = signal<StatusAnswer | undefined>(undefined);

/** Whether a proxy serves this page, so that it shows only requests. */
export const isProxy = computed(() => status.value?.upstream !== undefined);

export const organizations = signal<CallAnswer<'organizations.list'>['organizations']>([]);

export const organization = computed(
  () => organizations.value.find(({ id }) => id === chosenOrganization.value) ?? organizations.value[0],
);

/** Loads status and organizations. @throws ControlError */
export async function refreshStatus(): Promise<void> {
  const known = await call('status.get');
  if (known.upstream === undefined) organizations.value = (await call('organizations.list')).organizations;
  status.value = known;
  now.value = Date.now() + known.clock.offset;
}

/** Milliseconds since the epoch, by the server's clock, which tests can change. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now() + clockOffset();
}, 1000);

/** Milliseconds by which the server's clock is ahead of this machine's. */
export function clockOffset(): number {
  return status.value?.clock.offset ?? 0;
}
