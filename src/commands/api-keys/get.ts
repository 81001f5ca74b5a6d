import { apiKey } from '../../verbs/api-keys/api-key.js';
import { getVerb } from '../../verbs/resource/get.js';

export const get = getVerb(apiKey);
