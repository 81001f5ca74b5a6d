import { group } from '../../cli/command.js';
import { clock } from './clock.js';
import { reset, restore, snapshot } from './data.js';
import { keys } from './keys.js';
import { logs } from './logs.js';
import { key, managementConsole, status, stop, wait } from './server.js';
import { faults, quotas, rateLimit, stubs } from './test-controls.js';

export const local = group({
  description:
    'Show and control the server that runs on this machine. orgctl finds the server by its data directory. ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN, which the ready line has, select another server. No profile is needed.',
  examples: [['orgctl local logs --refused', 'what was refused, and why']],
  verbs: [
    ...[status, managementConsole, logs, keys, key, clock, faults, stubs],
    ...[rateLimit, quotas, snapshot, restore, reset, wait, stop],
  ],
});
