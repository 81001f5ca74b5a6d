import { deleteVerb } from '../../verbs/resource/delete.js';
import { team } from '../../verbs/teams/team.js';

export const remove = deleteVerb(team);
