import { apiKey } from '../../verbs/api-keys/api-key.js';
import { confirmOwnKey, evenMineOption } from '../../verbs/api-keys/own-key.js';
import { deleteVerb } from '../../verbs/resource/delete.js';

export const remove = deleteVerb(apiKey, {
  option: evenMineOption,
  confirm: (targets, options, context) => confirmOwnKey('delete', targets, options, context),
});
