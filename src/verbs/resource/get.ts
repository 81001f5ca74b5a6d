export { getVerb } from '../../commands/resource/get.js';
