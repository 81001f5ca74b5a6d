import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import { notInReference, withExamples } from '../help-text.js';
import { teamView } from './view.js';

export interface UpdateOptions {
  readonly name: string;
}

/** `orgctl teams update <id>`: `PATCH /teams/{id}` [ours]. */
export function update(command: Command, context: Context, run = updateTeam): void {
  withExamples(
    command
      .description(`Change a team ${notInReference}.`)
      .argument('<id>', 'ID of a team')
      .requiredOption('--name <name>', 'its new name'),
    [['orgctl teams update team_0248c01d --name platform', 'a new name']],
  ).action((id, options) => run(id, options, context));
}

export async function updateTeam(
  id: string,
  { name }: UpdateOptions,
  context: Pick<Context, 'api' | 'printer'>,
): Promise<void> {
  const printer = await context.printer();
  const { teams } = await context.api();
  const updated = await teams.update(id, { name });
  await printer.value(updated, [updated], teamView);
}
