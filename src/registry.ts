import type { LazyCommand } from './cli/lazy-command.js';

const operators = 'Administer an organization:';
const fileGroup = 'Keep an organization as a file:';
const developers = 'Build and debug a client:';
const localGroup = 'Run the service on this machine:';
const setup = 'Set up orgctl:';

/** Every top-level command. `orgctl --help` groups them and keeps this order within each group. */
export const registry: readonly LazyCommand[] = [
  {
    name: 'quotas',
    group: operators,
    summary: 'show quota limits and usage',
    load: async () => (await import('./commands/quotas.js')).quotas,
  },
  {
    name: 'connections',
    group: operators,
    summary: 'list, create, change and delete connections to databases',
    load: async () => (await import('./commands/connections/index.js')).connections,
  },
  {
    name: 'api-keys',
    group: operators,
    summary: 'create, list, rename, disable, rotate and delete API keys',
    load: async () => (await import('./commands/api-keys/index.js')).apiKeys,
  },
  {
    name: 'teams',
    group: operators,
    summary: 'list, create, change and delete teams',
    load: async () => (await import('./commands/teams/index.js')).teams,
  },
  {
    name: 'export',
    group: fileGroup,
    summary: 'write the organization to a file',
    load: async () => (await import('./commands/export.js')).exportCommand,
  },
  {
    name: 'diff',
    group: fileGroup,
    summary: 'show what apply would change',
    load: async () => (await import('./commands/diff.js')).diff,
  },
  {
    name: 'apply',
    group: fileGroup,
    summary: 'make the organization match a file',
    load: async () => (await import('./commands/apply.js')).apply,
  },
  {
    name: 'request',
    group: developers,
    summary: 'send any signed request',
    load: async () => (await import('./commands/request.js')).request,
  },
  {
    name: 'sign',
    group: developers,
    summary: 'sign a request without sending it',
    load: async () => (await import('./commands/sign.js')).sign,
  },
  {
    name: 'openapi',
    group: developers,
    summary: "print the API's OpenAPI document",
    load: async () => (await import('./commands/openapi.js')).openapi,
  },
  {
    name: 'proxy',
    group: developers,
    summary: "forward any client's requests and explain refusals",
    load: async () => (await import('./commands/proxy.js')).proxy,
  },
  {
    name: 'profile',
    group: setup,
    summary: 'manage profiles: the services and keys that orgctl uses',
    load: async () => (await import('./commands/profile/index.js')).profile,
  },
  {
    name: 'exec',
    group: setup,
    summary: 'run a command with a profile in its environment',
    load: async () => (await import('./commands/exec.js')).exec,
  },
  {
    name: 'whoami',
    group: setup,
    summary: 'show every effective setting and where it comes from',
    load: async () => (await import('./commands/whoami.js')).whoami,
  },
  {
    name: 'doctor',
    group: developers,
    summary: 'find out why requests fail',
    load: async () => (await import('./commands/doctor/index.js')).doctor,
  },
  {
    name: 'probe',
    group: developers,
    summary: 'show how a service responds, or what has changed',
    load: async () => (await import('./commands/probe.js')).probeCommand,
  },
  {
    name: 'completion',
    group: setup,
    summary: 'print a completion script for your shell',
    load: async () => (await import('./commands/completion.js')).completion,
  },
  {
    name: '__complete',
    hidden: true,
    summary: 'print completions for the scripts',
    load: async () => (await import('./commands/complete.js')).completeLine,
  },
  {
    name: 'serve',
    group: localGroup,
    summary: 'run a stand-in for the service on this machine',
    load: async () => (await import('./commands/serve/index.js')).serve,
  },
  {
    name: 'local',
    group: localGroup,
    summary: 'show and control the server on this machine',
    load: async () => (await import('./commands/local/index.js')).local,
  },
  {
    name: 'help',
    group: setup,
    summary: 'show a topic or the help of a command',
    load: async () => (await import('./commands/help.js')).help,
  },
];
