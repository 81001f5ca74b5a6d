import type { Resource } from '../api/resources/resource.js';
import { teams as resource, type TeamInput } from '../api/resources/team.js';
import type { View } from '../terminal/output/printer.js';
import { showAge } from '../text/duration.js';
import type { Creation } from './resource/create.js';
import { createNamedVerb, renameVerb, resourceCommand } from './resource/resource-command.js';

const view: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name', rank: 1 },
    { header: 'CREATED', value: 'created_at', drawn: showAge, rank: 2 },
    { header: 'UPDATED', value: 'updated_at', drawn: showAge, rank: 3 },
  ],
  empty: 'no teams',
};

const team: Creation<TeamInput> = {
  resource,
  exampleName: 'platform',
  view,
  entry: {
    kind: resource.kind,
    singular: resource.singular,
    fields: ['name'],
    schemaFor: () => resource.input,
  },
  create: (input, api) => api.teams.create(input),
};

export const teams = resourceCommand({
  ...team,
  description:
    'List, create, change and delete teams. The API reference does not describe these calls, so your service may not have them.',
  examples: [['orgctl teams create --name platform', 'a new team']],
  create: createNamedVerb(team),
  update: renameVerb(team),
});
