export { askName } from '../../commands/resource/named.js';
export { requireName } from '../../commands/resource/update.js';
