import { deleteVerb } from '../resource/delete.js';
import { apiKeyNoun } from './noun.js';
import { confirmOwnKey, evenMineOption } from './own-key.js';

/** `orgctl api-keys delete`: the key that signs is asked for by its ID. */
export const remove = deleteVerb(apiKeyNoun, {
  option: evenMineOption,
  confirm: (ids, options, context) => confirmOwnKey('delete', ids, options, context),
});
