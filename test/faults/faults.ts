import { clientFaults } from './client.js';
import { controlFaults } from './control.js';
import type { Fault } from './fault.js';
import { generalFaults } from './general.js';
import { localFaults } from './local.js';
import { maintenanceFaults } from './maintenance.js';
import { organizationFaults } from './organization.js';
import { pageFaults } from './page.js';
import { proxyFaults } from './proxy.js';
import { storageFaults } from './storage.js';

/** Each was once in the sources, or could have been, without a test that failed. */
export const faults: readonly Fault[] = [
  ...clientFaults,
  ...controlFaults,
  ...generalFaults,
  ...localFaults,
  ...maintenanceFaults,
  ...organizationFaults,
  ...pageFaults,
  ...proxyFaults,
  ...storageFaults,
];
