import { listVerb } from '../resource/list.js';
import { apiKeyNoun } from './noun.js';

/** `orgctl api-keys list` */
export const list = listVerb(apiKeyNoun);
