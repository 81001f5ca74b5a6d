import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { beforeAll } from 'vitest';
import { install } from '../../../build/install.js';
import { root, useBuiltTool } from '../../support/built-tool.js';
import { type Ended, temporaryDirectory } from '../../support/run-cli.js';

const run = promisify(execFile);

/** A project of somebody else's, which has installed the package. */
export interface OwnProject {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs Node.js there, to its end. */
  node(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
}

/** Packages by their names in the project: the directory below which each is installed here, and its name there. */
type Packages = Readonly<Record<string, readonly [at: 'test/libraries' | 'build/tools' | '.', name: string]>>;

/** Gives the tests of the calling file a project: ES modules, with what `npm pack` packs and further packages. */
export function useOwnProject(packages: Packages): OwnProject {
  useBuiltTool();
  const directory = temporaryDirectory();
  const installed = join(directory, 'node_modules');
  beforeAll(async () => {
    writeFileSync(join(directory, 'package.json'), '{ "name": "own", "private": true, "type": "module" }');
    const all: Packages = { libsql: ['.', 'libsql'], ...packages };
    for (const [name, [at, from]] of Object.entries(all)) {
      mkdirSync(dirname(join(installed, name)), { recursive: true });
      const directory = at === '.' ? join(root, 'node_modules') : install(at);
      symlinkSync(join(directory, from), join(installed, name));
    }
    await unpack(join(installed, 'orgctl'));
  }, 600_000);
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

/** The path of the archive, which is packed once in a run; without `prepack`, which would build again. */
async function pack(): Promise<string> {
  const to = join(tmpdir(), 'packed');
  mkdirSync(to, { recursive: true });
  const release = await lock(to, { retries: { retries: 300, factor: 1 } });
  try {
    const [packed] = readdirSync(to);
    if (packed !== undefined) return join(to, packed);
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', to], {
      cwd: root,
    });
    const [{ filename }] = JSON.parse(stdout);
    return join(to, filename);
  } finally {
    await release();
  }
}

async function unpack(to: string): Promise<void> {
  mkdirSync(to, { recursive: true });
  await run('tar', ['-xzf', await pack(), '--strip-components', '1'], { cwd: to });
}
