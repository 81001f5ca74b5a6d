export { confirmOnTerminal, describeService, quoteName } from '../commands/resource/confirm.js';
