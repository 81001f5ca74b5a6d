/** The part of the build that `bin/orgctl.js` loads for `--version`. */
export { run } from './main.js';
export { endProcess, toSystem } from './terminal/process/process-system.js';
