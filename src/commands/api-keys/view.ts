import { apiKeys } from '../../api/resources/api-key.js';
import type { ApiKey, CreatedApiKey } from '../../api/resources/records.js';
import type { Resource } from '../../api/resources/resource.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import { paintEnabled } from '../../terminal/text/color.js';
import type { Noun as ResourceCommand } from '../resource/noun.js';

/** `key_id` is the ID to sign with, if the service uses another ID in paths. */
type ShownKey = ApiKey & { readonly key_id?: string };

export const apiKeyView: TypedView<Resource, ShownKey> = {
  columns: [
    { header: 'ID', value: 'id' },
    // Rank 0, so that a narrow table shortens names rather than omitting whether a key is enabled.
    { header: 'NAME', value: 'name', rank: 0 },
    { header: 'ENABLED', value: 'enabled', rank: 0, style: paintEnabled },
    { header: 'LAST USED', value: 'last_used_at', drawn: showAge, rank: 3 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 4 },
  ],
  fields: ['key_id'],
  empty: 'no API keys',
  example: { id: 'key_0', name: 'example' },
};

/** The API sends a secret only in the response to the creation. */
export const createdApiKeyView: TypedView<Resource, CreatedApiKey> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'SECRET', value: 'secret' },
  ],
  block: true,
  fields: ['enabled', 'last_used_at', 'created_at'],
  example: { id: 'key_0', name: 'example', secret: 'example' },
};

export const saveSecretNote = 'Save this secret now. It will not be shown again.';

export const apiKey: ResourceCommand = { resource: apiKeys, exampleName: 'ci', view: apiKeyView };
