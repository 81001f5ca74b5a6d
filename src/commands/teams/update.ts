import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../cli/context.js';
import { ownCommand, withExamples } from '../../cli/help-text.js';
import { updateResources } from '../../verbs/resource/update.js';
import { team } from '../../verbs/teams/team.js';

export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Rename a team. ${ownCommand}`)
      .argument('<id-or-name>', 'ID or exact name of the team')
      .requiredOption('--name <name>', 'new name'),
    [
      ['orgctl teams update ops --name platform', 'a new name'],
      ['orgctl teams update --name platform -- -ops', 'if the old name begins with a hyphen'],
    ],
    { calls: 'service', writes: ['service'] },
  ).action((text, { name }) => updateResources(team, { texts: [text], patch: { name } }, context));
}
