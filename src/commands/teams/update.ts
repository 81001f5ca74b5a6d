import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import type { AnswerContext } from '../print-answer.js';
import { updateResources } from '../resource/update.js';
import { teamNoun } from './noun.js';

interface UpdateOptions {
  readonly name: string;
}

/** `orgctl teams update <id…>`: `PATCH /teams/{id}` [ours]. */
export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Change a team or several ${notInReference}.`)
      .argument('<id...>', 'ID of a team')
      .requiredOption('--name <name>', 'its new name'),
    [['orgctl teams update team_0248c01d --name platform', 'a new name']],
  ).action((ids, options) => updateTeams(ids, options, context));
}

async function updateTeams(
  ids: readonly string[],
  { name }: UpdateOptions,
  context: AnswerContext & Pick<Context, 'api' | 'signal' | 'progress'>,
): Promise<void> {
  const { teams } = await context.api();
  await updateResources(teamNoun, teams, { ids, patch: { name } }, context);
}
