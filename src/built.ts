/** What `bin/orgctl.js` needs for `--version`, and before it knows that more is asked for. */
export { run } from './main.js';
export { endProcess, toSystem } from './terminal/process/process-system.js';
