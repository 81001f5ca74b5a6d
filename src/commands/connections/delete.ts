import { deleteVerb } from '../resource/delete.js';
import { connectionNoun } from './noun.js';

/** `orgctl connections delete` */
export const remove = deleteVerb(connectionNoun);
