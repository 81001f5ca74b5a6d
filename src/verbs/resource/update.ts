export { updateResources } from '../../commands/resource/update.js';
