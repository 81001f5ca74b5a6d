import type { Team } from '../../api/resources/records.js';
import type { Resource } from '../../api/resources/resource.js';
import { teams } from '../../api/resources/team.js';
import type { TypedView } from '../../terminal/output/printer.js';
import { showAge } from '../../terminal/text/age.js';
import type { ResourceCommand } from '../resource/resource-command.js';

const teamView: TypedView<Resource, Team> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 2 },
    { header: 'UPDATED', value: 'updated_at', drawn: showAge, rank: 3 },
  ],
  empty: 'no teams',
  isRecord: true,
  example: { id: 'team_0', name: 'example' },
};

export const team: ResourceCommand = { resource: teams, exampleName: 'platform', view: teamView };
