import { teams as resource } from '../api/resources/team.js';
import { plainCommand } from './resource/resource-command.js';

export const teams = plainCommand({
  resource,
  exampleName: 'platform',
  description:
    'List, create, change and delete teams. The API reference does not describe these calls, so your service may not have them.',
  examples: [['orgctl teams create --name platform', 'a new team']],
});
