import type { Command } from '@commander-js/extra-typings';
import type { Resource } from '../../api/resources/resource.js';
import { teams } from '../../api/resources/team.js';
import type { Context } from '../../cli/context.js';
import { notInReference, withExamples } from '../../cli/help-text.js';
import type { View } from '../../terminal/output/printer.js';
import { ageOf } from '../../terminal/text/age.js';
import { deleteVerb } from '../../verbs/resource/delete.js';
import { getVerb } from '../../verbs/resource/get.js';
import { listVerb } from '../../verbs/resource/list.js';
import type { Noun } from '../../verbs/resource/noun.js';
import { updateResources } from '../../verbs/resource/update.js';

const teamView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'CREATED', value: 'created_at', drawn: ageOf },
    { header: 'UPDATED', value: 'updated_at', drawn: ageOf },
  ],
  empty: 'no teams',
  example: { id: 'team_0', name: 'example' },
};

export const team: Noun = { resource: teams, exampleId: 'team_0248c01d', view: teamView };

export const list = listVerb(team);
export const get = getVerb(team);
export const remove = deleteVerb(team);

/** `orgctl teams update <id-or-name…>`: `PATCH /teams/{id}` [ours]. */
export function update(command: Command, context: Context): void {
  withExamples(
    command
      .description(`Change one or more teams ${notInReference}.`)
      .argument('<id-or-name...>', 'ID or exact name of the team')
      .requiredOption('--name <name>', 'its new name'),
    [['orgctl teams update team_0248c01d --name platform', 'a new name']],
    { calls: 'service', writes: ['service'], exits: ['partial'] },
  ).action((texts, { name }) => updateResources(team, { texts, patch: { name } }, context));
}
