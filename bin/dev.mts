import { run } from '../src/main.js';
import { endProcess, systemOf } from '../src/terminal/process/process-system.js';

endProcess(process, await run(systemOf(process), () => import('../src/command-line.js')));
