import { deleteVerb } from '../resource/delete.js';
import { teamNoun } from './noun.js';

/** `orgctl teams delete` */
export const remove = deleteVerb(teamNoun);
