import { getVerb } from '../resource/get.js';
import { apiKeyNoun } from './noun.js';

/** `orgctl api-keys get` */
export const get = getVerb(apiKeyNoun);
