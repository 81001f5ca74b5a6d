import { connection } from '../../verbs/connections/connection.js';
import { listVerb } from '../../verbs/resource/list.js';

export const list = listVerb(connection);
