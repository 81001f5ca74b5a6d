import type { Noun } from '../resource/noun.js';
import { apiKeyView } from './view.js';

export const apiKeyNoun: Noun = {
  command: 'api-keys',
  singular: 'API key',
  plural: 'API keys',
  exampleId: 'key_21f3b017',
  api: ({ apiKeys }) => apiKeys,
  view: apiKeyView,
};
