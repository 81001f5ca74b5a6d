import { connection } from '../../verbs/connections/connection.js';
import { getVerb } from '../../verbs/resource/get.js';

export const get = getVerb(connection);
