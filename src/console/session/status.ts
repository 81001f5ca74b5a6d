import { signal } from '@preact/signals';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from './api.js';
import type { LoadedState } from './loaded.js';
import { loadOrganizations } from './organizations.js';

export interface ViewProps {
  readonly status: LoadedState<StatusAnswer>;
}

/** Whether a proxy serves this page, which then shows only requests. */
export const isProxy = signal(false);

export async function loadStatus(): Promise<StatusAnswer> {
  const status = await api.status();
  isProxy.value = status.upstream !== undefined;
  if (!isProxy.peek()) await loadOrganizations();
  return status;
}
