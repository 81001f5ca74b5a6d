import { connection } from '../../verbs/connections/connection.js';
import { deleteVerb } from '../../verbs/resource/delete.js';

export const remove = deleteVerb(connection);
