import { deleteVerb } from '../resource/delete.js';
import { apiKeyNoun } from './noun.js';

/** `orgctl api-keys delete` */
export const remove = deleteVerb(apiKeyNoun);
