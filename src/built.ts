/** The part of the build that `bin/orgctl.js` always loads; it suffices for `--version` and most help pages. */
export { run } from './main.js';
export { endProcess, toSystem } from './terminal/process/process-system.js';
