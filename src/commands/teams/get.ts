import { getVerb } from '../../verbs/resource/get.js';
import { team } from '../../verbs/teams/team.js';

export const get = getVerb(team);
