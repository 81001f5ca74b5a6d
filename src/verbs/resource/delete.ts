export { deleteVerb } from '../../commands/resource/delete.js';
