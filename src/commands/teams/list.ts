import { listVerb } from '../../verbs/resource/list.js';
import { team } from '../../verbs/teams/team.js';

export const list = listVerb(team);
