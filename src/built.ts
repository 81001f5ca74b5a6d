/** What `bin/orgctl.js` needs before anything else: the rest of the build is loaded through `openBuild`. */
export { openBuild } from './code-cache/build.js';
export { run } from './main.js';
export { systemOf } from './terminal/process-system.js';
