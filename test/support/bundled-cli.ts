import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { beforeAll } from 'vitest';
import { temporaryDirectory } from './run-cli.js';

const sources = fileURLToPath(new URL('../../src/', import.meta.url));

/** The command line, `serve` excepted, as a program of its own, for what only a process has: signals, pipes, shells. */
export interface BundledCli {
  /** A directory with an executable `orgctl`, for a PATH. */
  readonly directory: string;
  /** The executable itself. */
  readonly path: string;
}

/** Bundles the sources as they are before the tests of the calling file, so that no build has to be there. */
export function useBundledCli(): BundledCli {
  const directory = temporaryDirectory();
  const path = join(directory, 'orgctl');
  beforeAll(async () => {
    await build({
      input: { main: join(sources, 'built.ts'), 'command-line': join(sources, 'command-line.ts') },
      platform: 'node',
      external: /server\/index\.js$/,
      logLevel: 'warn',
      transform: { define: { ORGCTL_VERSION: '"0.0.0"' } },
      output: { dir: directory, format: 'esm' },
    });
    const script = join(directory, 'run.mjs');
    writeFileSync(
      script,
      `import { run, systemOf } from './main.js';
       process.exitCode = await run(systemOf(process), () => import('./command-line.js'));`,
    );
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
    chmodSync(path, 0o755);
  });
  return { directory, path };
}
