import { group } from '../../cli/command.js';
import { apiKey } from './view.js';

/** Each verb loads what it needs. */
export const apiKeys = group({
  description:
    'Create, list, rename, disable, rotate and delete API keys. The API cannot re-enable a key: use the service\'s management console or, for a local server, "orgctl local keys enable".',
  examples: [
    ['orgctl api-keys create --name ci', 'the secret is shown once'],
    ['orgctl api-keys list --all --unused-for 90d', 'keys that may no longer be needed'],
  ],
  verbs: [
    {
      name: 'list',
      summary: 'list API keys',
      load: async () =>
        (await import('../resource/list.js')).listVerb(
          apiKey,
          (await import('./list-filters.js')).keyFilters,
        ),
    },
    {
      name: 'get',
      summary: 'show API keys by ID or name',
      load: async () => (await import('../resource/get.js')).getVerb(apiKey),
    },
    {
      name: 'create',
      summary: 'create an API key; its secret is shown once',
      load: async () => (await import('./create.js')).create,
    },
    {
      name: 'update',
      summary: 'rename an API key',
      load: async () => (await import('./changes.js')).update,
    },
    {
      name: 'disable',
      summary: 'disable an API key',
      load: async () => (await import('./changes.js')).disable,
    },
    {
      name: 'enable',
      hidden: true,
      summary: 'explain how to re-enable a disabled key',
      load: async () => (await import('./changes.js')).enable,
    },
    {
      name: 'rotate',
      summary: "replace the active profile's key with a new one",
      load: async () => (await import('./rotate.js')).rotate,
    },
    {
      name: 'delete',
      summary: 'delete API keys',
      load: async () => (await import('./changes.js')).remove,
    },
  ],
});
