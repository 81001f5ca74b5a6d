import type { Noun } from '../resource/noun.js';
import { connectionView } from './view.js';

export const connectionNoun: Noun = {
  command: 'connections',
  singular: 'connection',
  plural: 'database connections',
  exampleId: 'conn_40b46949',
  api: ({ connections }) => connections,
  view: connectionView,
  listInReference: true,
};
