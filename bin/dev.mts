import { run } from '../src/main.js';
import { systemOf } from '../src/terminal/process-system.js';

process.exitCode = await run(systemOf(process), () => import('../src/command-line.js'));
