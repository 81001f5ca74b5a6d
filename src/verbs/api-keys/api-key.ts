import { apiKeys } from '../../api/resources/api-key.js';
import type { Resource } from '../../api/resources/resource.js';
import type { View } from '../../terminal/output/printer.js';
import { ageOf } from '../../terminal/text/age.js';
import type { Noun } from '../resource/noun.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at', drawn: ageOf },
    { header: 'CREATED', value: 'created_at', drawn: ageOf },
  ],
  empty: 'no API keys',
  example: { id: 'key_0', name: 'example' },
};

export const apiKey: Noun = { resource: apiKeys, exampleId: 'key_21f3b017', view: apiKeyView };
