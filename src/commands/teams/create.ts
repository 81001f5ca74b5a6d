import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import { type AnswerContext, printAnswer } from '../print-answer.js';
import { teamView } from './view.js';

interface CreateOptions {
  readonly name: string;
}

/** `orgctl teams create`: `POST /teams` [ours]. */
export function create(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Create a team ${notInReference}.`)
      .requiredOption('--name <name>', 'name of the team'),
    [['orgctl teams create --name platform', 'a new team']],
  ).action((options) => createTeam(options, context));
}

async function createTeam(
  { name }: CreateOptions,
  context: AnswerContext & Pick<Context, 'api'>,
): Promise<void> {
  (await context.printer()).check(teamView, 'value');
  const { teams } = await context.api();
  const created = await teams.create({ name });
  await printAnswer(created, teamView, context);
}
