import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { toOperands } from '../../errors/advice.js';
import { DeclinedError } from '../../errors/errors.js';
import { canAsk } from '../../terminal/interaction/can-ask.js';
import type { OrphanRule } from './interrupted-creation.js';

/**
 * Asks about keys with a chosen name, because others may have chosen it, too; without a terminal, deletes none of them.
 * The rule throws a DeclinedError if every answer is no.
 */
export function askAboutOrphans(
  context: Pick<Context, 'system' | 'streams' | 'prompt' | 'note'>,
): OrphanRule {
  return async (orphans, { ownName }) => {
    if (orphans.length === 0 || ownName) return orphans;
    if (!canAsk(context)) {
      await context.note(
        `an interrupted run may have created ${joinIds(orphans)} without storing the secret; unless the secret is stored elsewhere, run`,
        deletionCommand(orphans),
      );
      return [];
    }
    const prompt = await context.prompt();
    const chosen: Resource[] = [];
    for (const key of orphans) {
      const question = `Delete ${key['id']} (${JSON.stringify(key['name'])}, never used)? An interrupted run seems to have created it.`;
      if (await prompt.choose(question, { hint: 'run this on a terminal' })) chosen.push(key);
    }
    if (chosen.length === 0) throw declined(orphans);
    return chosen;
  };
}

/** A key with another name is no longer mistaken for that of the interrupted run. */
function declined(orphans: readonly Resource[]): DeclinedError {
  const [id = ''] = orphans.map((key) => String(key['id']));
  const rename = ['orgctl', 'api-keys', 'update', ...toOperands(id), '--name', 'NEW_NAME'];
  return new DeclinedError('no key was deleted or created', {
    hint: `to keep ${joinIds(orphans)} and create another, rename it first`,
    next: rename,
  });
}

export function severalOrphans(orphans: readonly Resource[], name: string | undefined): string {
  return `an interrupted run may have created one of ${joinIds(orphans)}, all named ${JSON.stringify(name)}; find out which one is not in use, and delete it`;
}

function deletionCommand(orphans: readonly Resource[]): string[] {
  return ['orgctl', 'api-keys', 'delete', ...toOperands(...orphans.map(({ id }) => String(id)))];
}

function joinIds(orphans: readonly Resource[]): string {
  return orphans.map(({ id }) => id).join(', ');
}
