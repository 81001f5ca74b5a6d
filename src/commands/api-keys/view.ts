import type { Resource } from '../../contract/resource.js';
import type { View } from '../../terminal/printer.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at' },
    { header: 'CREATED', value: 'created_at' },
  ],
  empty: 'no API keys',
};

/** For the answer to a creation: the only one that has the secret. */
export const createdApiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
};
