import type { Noun } from '../resource/noun.js';
import { teamView } from './view.js';

export const teamNoun: Noun = {
  command: 'teams',
  singular: 'team',
  plural: 'teams',
  exampleId: 'team_0248c01d',
  api: ({ teams }) => teams,
  view: teamView,
};
