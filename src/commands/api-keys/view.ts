import { apiKeys } from '../../api/resources/api-key.js';
import type { Resource } from '../../api/resources/resource.js';
import type { View } from '../../terminal/output/printer.js';
import { showAge } from '../../text/duration.js';
import type { Noun } from '../resource/noun.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    // Rank 0, so that a narrow table shortens names rather than omitting whether a key is enabled.
    { header: 'NAME', value: 'name', rank: 0 },
    {
      header: 'ENABLED',
      value: 'enabled',
      rank: 0,
      style: (text, _row, chalk) => (text === 'false' ? chalk.red(text) : text),
    },
    { header: 'LAST USED', value: 'last_used_at', drawn: showAge, rank: 3 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 4 },
  ],
  // The ID to sign with, if the service uses another ID in paths.
  fields: ['key_id'],
  empty: 'no API keys',
};

/** The API sends a secret only in the response to the creation. */
export const createdApiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
  block: true,
  fields: ['enabled', 'last_used_at', 'created_at'],
};

export const saveSecretNote = 'Save this secret now. It will not be shown again.';

export const apiKey: Noun = { resource: apiKeys, exampleName: 'ci', view: apiKeyView };
