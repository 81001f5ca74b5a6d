export { listVerb } from '../../commands/resource/list.js';
