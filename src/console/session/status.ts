import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from './api.js';
import type { LoadedState } from './loaded.js';
import { loadOrganizations } from './organizations.js';

export interface ViewProps {
  readonly status: LoadedState<StatusAnswer>;
}

export async function loadStatus(): Promise<StatusAnswer> {
  const [status] = await Promise.all([api.status(), loadOrganizations()]);
  return status;
}
