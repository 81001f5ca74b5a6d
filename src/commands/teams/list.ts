import { listVerb } from '../resource/list.js';
import { teamNoun } from './noun.js';

/** `orgctl teams list` */
export const list = listVerb(teamNoun);
