import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api } from './api.js';
import type { Loaded } from './loaded.js';
import { loadOrganizations } from './organizations.js';

/** What every view is shown with: how the server is, asked for again and again. */
export interface ViewProps {
  readonly status: Loaded<StatusAnswer>;
}

/** Asks the server how it is, and for what is used of its quotas. */
export async function loadStatus(): Promise<StatusAnswer> {
  const [status] = await Promise.all([api.status(), loadOrganizations()]);
  return status;
}
