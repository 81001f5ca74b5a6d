import { getVerb } from '../resource/get.js';
import { teamNoun } from './noun.js';

/** `orgctl teams get` */
export const get = getVerb(teamNoun);
