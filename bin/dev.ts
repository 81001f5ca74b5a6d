import { run } from '../src/main.js';

process.exitCode = await run(process);
