import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { withExamples } from '../../cli/help-text.js';
import { type LazyCommand, mountCommands } from '../../cli/lazy-command.js';

const verbs: readonly LazyCommand[] = [
  {
    name: 'status',
    summary: 'show address, data, clock, faults and requests so far',
    load: async () => (await import('./status.js')).status,
  },
  {
    name: 'console',
    summary: 'print a fresh link to the console, or open it',
    load: async () => (await import('./console.js')).managementConsole,
  },
  {
    name: 'logs',
    summary: 'show recent requests, and why some were refused',
    load: async () => (await import('./logs.js')).logs,
  },
  {
    name: 'keys',
    summary: 'issue, list, enable, disable and revoke API keys',
    load: async () => (await import('./keys/index.js')).keys,
  },
  {
    name: 'key',
    summary: 'print address, first key and its secret, for a .env file',
    load: async () => (await import('./key.js')).key,
  },
  {
    name: 'clock',
    summary: "show, set, advance and reset the server's clock",
    load: async () => (await import('./clock/index.js')).clock,
  },
  {
    name: 'faults',
    summary: 'show and set the rules that make requests fail',
    load: async () => (await import('./faults/index.js')).faults,
  },
  {
    name: 'stubs',
    summary: 'show and set stubs, which replace responses',
    load: async () => (await import('./stubs/index.js')).stubs,
  },
  {
    name: 'rate-limit',
    summary: 'show and set the rate limit of each API key',
    load: async () => (await import('./rate-limit/index.js')).rateLimit,
  },
  {
    name: 'quotas',
    summary: 'set the limits of an organization',
    load: async () => (await import('./quotas/index.js')).quotas,
  },
  {
    name: 'snapshot',
    summary: 'take or list snapshots of all data',
    load: async () => (await import('./snapshot/index.js')).snapshot,
  },
  {
    name: 'restore',
    summary: 'restore a snapshot of all data',
    load: async () => (await import('./restore.js')).restore,
  },
  {
    name: 'reset',
    summary: 'reset the server to its initial state',
    load: async () => (await import('./reset.js')).reset,
  },
  {
    name: 'wait',
    summary: 'wait until the server answers, and print its address',
    load: async () => (await import('./wait.js')).wait,
  },
  {
    name: 'stop',
    summary: 'stop the server',
    load: async () => (await import('./stop.js')).stop,
  },
];

export function local(command: Command, context: Context): void {
  withExamples(
    command.description(
      'Show and control the server that runs on this machine. orgctl finds the server by its data directory. ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN select another server; without the token, the URL selects a server whose token is in the data directory. No profile is needed.',
    ),
    [
      ['orgctl local logs --refused', 'what was refused, and why'],
      ['orgctl local keys enable ci', 'a disabled key works again'],
    ],
  );
  mountCommands(command, verbs, context);
}
