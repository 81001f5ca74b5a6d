import type { Resource } from '../../api/resources/resource.js';
import { teams } from '../../api/resources/team.js';
import type { View } from '../../terminal/output/printer.js';
import { ageOf } from '../../terminal/text/age.js';
import type { Noun } from '../resource/noun.js';

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
