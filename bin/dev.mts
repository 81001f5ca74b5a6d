import { endProcess, run, toSystem } from '../src/main.js';

// The entry point of `npm run dev`, and of the executable that packaging/build.ts makes.

run(toSystem(process), () => import('../src/command-line.js')).then((exitCode) =>
  endProcess(process, exitCode),
);
