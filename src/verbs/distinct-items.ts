export { assertNamed } from '../commands/resource/pages.js';
