import type { LazyCommand } from './cli/lazy-command.js';

const resourceGroup = 'Resources:';
const wire = 'Requests and signatures:';
const setup = 'Setting up:';
const localGroup = 'The service on this machine:';

/** Every command of the root, in the order in which `orgctl --help` lists them. */
export const registry: readonly LazyCommand[] = [
  {
    name: 'quotas',
    group: resourceGroup,
    summary: 'show limit, use and what remains of each kind',
    load: async () => (await import('./commands/quotas.js')).quotas,
  },
  {
    name: 'connections',
    group: resourceGroup,
    summary: 'list, create, change and delete connections to databases',
    load: async () => (await import('./commands/connections/index.js')).connections,
  },
  {
    name: 'api-keys',
    group: resourceGroup,
    summary: 'create, list, disable, rotate and delete API keys',
    load: async () => (await import('./commands/api-keys/index.js')).apiKeys,
  },
  {
    name: 'teams',
    group: resourceGroup,
    summary: 'list, create, change and delete teams',
    load: async () => (await import('./commands/teams/index.js')).teams,
  },
  {
    name: 'export',
    group: resourceGroup,
    summary: 'write the organization to a file',
    load: async () => (await import('./commands/export.js')).exportCommand,
  },
  {
    name: 'diff',
    group: resourceGroup,
    summary: 'show what apply would change',
    load: async () => (await import('./commands/diff.js')).diff,
  },
  {
    name: 'apply',
    group: resourceGroup,
    summary: 'make the organization match a file',
    load: async () => (await import('./commands/apply.js')).apply,
  },
  {
    name: 'request',
    group: wire,
    summary: 'send any signed request',
    load: async () => (await import('./commands/request.js')).request,
  },
  {
    name: 'sign',
    group: wire,
    summary: 'sign a request without sending it',
    load: async () => (await import('./commands/sign.js')).sign,
  },
  {
    name: 'openapi',
    group: wire,
    summary: "print the API's description",
    load: async () => (await import('./commands/openapi.js')).openapi,
  },
  {
    name: 'proxy',
    group: wire,
    summary: 'pass requests of any client to the service, from this machine',
    load: async () => (await import('./commands/proxy.js')).proxy,
  },
  {
    name: 'profile',
    group: setup,
    summary: 'keep the address and key of a service under a name',
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
    group: setup,
    summary: 'find out why requests fail',
    load: async () => (await import('./commands/doctor.js')).doctor,
  },
  {
    name: 'probe',
    group: setup,
    summary: 'show how the service answers, or compare it with a dialect file',
    load: async () => (await import('./commands/probe.js')).probeCommand,
  },
  {
    name: 'completion',
    group: setup,
    summary: 'print a script that completes commands in bash, zsh, fish or PowerShell',
    load: async () => (await import('./commands/completion.js')).completion,
  },
  {
    name: '__complete',
    hidden: true,
    summary: 'what the completion scripts ask',
    load: async () => (await import('./commands/complete.js')).completeLine,
  },
  {
    name: 'serve',
    group: localGroup,
    summary: 'run the whole service here',
    load: async () => (await import('./commands/serve/index.js')).serve,
  },
  {
    name: 'local',
    group: localGroup,
    summary: 'show and control the server that runs here',
    load: async () => (await import('./commands/local/index.js')).local,
  },
  {
    name: 'help',
    group: setup,
    summary: 'show a topic (exit-codes, environment, signing) or the help of a command',
    load: async () => (await import('./commands/help.js')).help,
  },
];
