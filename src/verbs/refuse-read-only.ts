export { refuseReadOnly } from '../commands/resource/print.js';
