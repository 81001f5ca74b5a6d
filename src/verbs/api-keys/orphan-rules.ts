import type { Resource } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { advise, ConfigError } from '../../errors/errors.js';
import type { OrphanRule } from './interrupted-creation.js';

/**
 * Deletes without asking: for records in the profiles, where only this user can have put them. The only orphan, or all
 * whose name was made up for the creation.
 *
 * @throws ConfigError naming them when there are several and the name was not unique to this creation
 */
export const deleteOrphan: OrphanRule = async (orphans, { name, ownName }) => {
  if (orphans.length <= 1 || ownName) return orphans;
  throw new ConfigError(severalOrphans(orphans, name), {
    ...advise(
      deletionOf(orphans.slice(0, 1)),
      (command) => `${whatToDelete}: ${command}; then run this again`,
    ),
  });
};

/**
 * Asks about each: for records beside a secret file, where others may put something. Where there is nobody to ask nothing
 * is deleted; a note says how.
 */
export function askAboutOrphans(
  context: Pick<Context, 'system' | 'streams' | 'prompt' | 'note'>,
): OrphanRule {
  return async (orphans) => {
    if (orphans.length === 0) return [];
    if (context.system.stdin.isTTY !== true || !context.streams.stderr.isTerminal) {
      const { hint } = advise(deletionOf(orphans));
      await context.note(
        `an interrupted run may have made ${idsOf(orphans)}, never used, whose secret was never stored: if nobody has it, delete it: ${hint}`,
      );
      return [];
    }
    const prompt = await context.prompt();
    const chosen: Resource[] = [];
    for (const key of orphans) {
      const question = `Delete ${key['id']} (${JSON.stringify(key['name'])}, never used), which an interrupted run seems to have made?`;
      if (await prompt.choose(question, { hint: 'run this on a terminal' })) chosen.push(key);
    }
    return chosen;
  };
}

/** Says that nobody knows which key is the one. */
export function severalOrphans(orphans: readonly Resource[], name: string | undefined): string {
  return `an interrupted run may have made one of ${idsOf(orphans)}, all named ${JSON.stringify(name)}`;
}

/** What to do then. */
export const whatToDelete = 'delete the one that nobody uses';

function deletionOf(orphans: readonly Resource[]): string[] {
  return ['orgctl', 'api-keys', 'delete', ...orphans.map(({ id }) => String(id))];
}

function idsOf(orphans: readonly Resource[]): string {
  return orphans.map(({ id }) => id).join(', ');
}
