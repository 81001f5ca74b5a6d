import { apiKeys } from '../../api/resources/api-key.js';
import type { Resource } from '../../api/resources/resource.js';
import type { View } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import type { ResourceCommand } from '../resource/resource-command.js';

export const apiKeyView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'ENABLED', value: 'enabled' },
    { header: 'LAST USED', value: 'last_used_at', drawn: showAge },
    { header: 'CREATED', value: 'created_at', drawn: showAge },
  ],
  empty: 'no API keys',
  example: { id: 'key_0', name: 'example' },
};

export const apiKey: ResourceCommand = { resource: apiKeys, exampleId: 'key_21f3b017', view: apiKeyView };
