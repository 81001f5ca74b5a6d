import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll } from 'vitest';
import { root } from '../../support/built-tool.js';
import { type Ended, temporaryDirectory } from '../../support/run-cli.js';

const run = promisify(execFile);

/** A project of somebody else's, which has installed the package. */
export interface OwnProject {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs Node.js there, to its end. */
  node(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
}

/** Gives the tests of the calling file a project: ES modules, with what `npm pack` packs and further packages. */
export function useOwnProject(packages: readonly string[]): OwnProject {
  const directory = temporaryDirectory();
  const installed = join(directory, 'node_modules');
  beforeAll(async () => {
    writeFileSync(join(directory, 'package.json'), '{ "name": "own", "private": true, "type": "module" }');
    for (const name of ['libsql', ...packages]) {
      mkdirSync(dirname(join(installed, name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(installed, name));
    }
    // Without `prepack`, which would build again.
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory];
    const [{ filename }] = JSON.parse((await run('npm', pack, { cwd: root })).stdout);
    mkdirSync(join(installed, 'orgctl'));
    await run('tar', ['-xzf', join(directory, filename), '--strip-components', '1'], {
      cwd: join(installed, 'orgctl'),
    });
  });
  return {
    directory,
    write: (files) => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    },
    node: (args, env = {}) =>
      run(process.execPath, args, { cwd: directory, env: { PATH: process.env['PATH'], ...env } }).then(
        (streams) => ({ code: 0, ...streams }),
        ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
      ),
  };
}
