export { askName } from '../../commands/resource/resource-command.js';
export { requireName } from '../../commands/resource/update.js';
