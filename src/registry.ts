import type { LazyCommand } from './cli/lazy-command.js';

/** Names and summaries of the commands, in the order and groups in which `orgctl --help` lists them. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Administer an organization:': {
    quotas: 'show quota limits and usage',
    connections: 'list, create, change and delete connections to databases',
    'api-keys': 'create, list, rename, disable, rotate and delete API keys',
    teams: 'list, create, change and delete teams',
  },
  'Keep an organization as a file:': {
    export: 'write the organization to a file',
    diff: 'show what apply would change',
    apply: 'make the organization match a file',
  },
  'Build and debug a client:': {
    request: 'send any signed request',
    sign: 'sign a request without sending it',
    openapi: "print the API's OpenAPI document",
    proxy: "forward any client's requests and explain refusals",
    doctor: 'find out why requests fail',
    probe: 'show how a service responds, or what has changed',
  },
  'Set up orgctl:': {
    profile: 'manage profiles: the services and keys that orgctl uses',
    exec: 'run a command with a profile in its environment',
    whoami: 'show every effective setting and where it comes from',
    completion: 'print a completion script for your shell',
    help: 'show a topic or the help of a command',
  },
  'Run the service on this machine:': {
    serve: 'run a stand-in for the service on this machine',
    local: 'show and control the server on this machine',
  },
};

/** A command is loaded when it is typed. A command in no group is for programs. */
const loaders: Readonly<Record<string, LazyCommand['load']>> = {
  quotas: async () => (await import('./commands/quotas/index.js')).quotas,
  connections: async () => (await import('./commands/connections/index.js')).connections,
  'api-keys': async () => (await import('./commands/api-keys/index.js')).apiKeys,
  teams: async () => (await import('./commands/teams.js')).teams,
  export: async () => (await import('./commands/organization.js')).exportCommand,
  diff: async () => (await import('./commands/organization.js')).diff,
  apply: async () => (await import('./commands/organization.js')).apply,
  request: async () => (await import('./commands/request.js')).request,
  sign: async () => (await import('./commands/sign.js')).sign,
  openapi: async () => (await import('./commands/openapi.js')).openapi,
  proxy: async () => (await import('./commands/proxy/index.js')).proxy,
  doctor: async () => (await import('./commands/doctor/index.js')).doctor,
  probe: async () => (await import('./commands/probe/index.js')).probe,
  profile: async () => (await import('./commands/profile/index.js')).profile,
  exec: async () => (await import('./commands/exec.js')).exec,
  whoami: async () => (await import('./commands/whoami.js')).whoami,
  completion: async () => (await import('./commands/completion/index.js')).completion,
  help: async () => (await import('./commands/help/index.js')).help,
  serve: async () => (await import('./commands/serve/index.js')).serve,
  local: async () => (await import('./commands/local/index.js')).local,
  __complete: async () => (await import('./commands/completion/complete.js')).completeLine,
};

export const registry: readonly LazyCommand[] = Object.entries(loaders).map(([name, load]) => {
  const [group] = Object.entries(groups).find(([, summaries]) => name in summaries) ?? [];
  return { name, load, group, summary: groups[group ?? '']?.[name] ?? '', hidden: group === undefined };
});
