import { run } from '../src/main.js';
import { endProcess, toSystem } from '../src/terminal/process/process-system.js';

endProcess(process, await run(toSystem(process), () => import('../src/command-line.js')));
