import { type Advice, toOperands } from '../errors/advice.js';

export { adviseIfUnwritten, adviseSeeing } from '../commands/resource/print.js';

/** For commands that only read a secret. */
export const nothingChanged: Advice = {
  hint: 'nothing was changed; run the same command again with a writable stdout',
};

/** For a new API key, after a warning has said where its secret is stored. */
export function adviseUsingOrDeleting(id: string, remove: readonly string[]): Advice {
  return {
    hint: `API key ${id} was created; the warning above says where its secret is. To delete the key`,
    next: [...remove, ...toOperands(id)],
  };
}
