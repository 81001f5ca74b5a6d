import { getVerb } from '../resource/get.js';
import { connectionNoun } from './noun.js';

/** `orgctl connections get` */
export const get = getVerb(connectionNoun);
