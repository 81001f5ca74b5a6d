import { listVerb } from '../resource/list.js';
import { connectionNoun } from './noun.js';

/** `orgctl connections list` */
export const list = listVerb(connectionNoun);
