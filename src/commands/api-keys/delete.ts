import { apiKey } from '../../verbs/api-keys/api-key.js';
import { confirmOwnKey, evenMineOption } from '../../verbs/api-keys/own-key.js';
import { deleteVerb } from '../../verbs/resource/delete.js';

export const remove = deleteVerb(apiKey, {
  option: evenMineOption,
  confirm: (ids, options, context) => confirmOwnKey('delete', ids, options, context),
});
