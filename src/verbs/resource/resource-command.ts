export { changeView, type Noun as ResourceCommand } from '../../commands/resource/noun.js';
