import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { startServer } from '../../src/server/index.js';
import { orgctl, root } from '../support/built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';

// What decides how long a start takes, and does not change from machine to machine as its time does: `npm run bench:start-up`
// has that.

const preload = join(import.meta.dirname, 'loaded.cjs');
const dist = join(root, 'dist', 'cli');
const run = promisify(execFile);
const loadedSchema = z.object({ files: z.array(z.string()), modules: z.array(z.string()) });

interface Loaded {
  /** Of the build. */
  readonly files: readonly string[];
  /** Of Node. */
  readonly modules: readonly string[];
}

/** What a command line loads whose output goes to a pipe. */
async function loadedBy(args: readonly string[], env: Record<string, string> = {}): Promise<Loaded> {
  const report = join(temporaryDirectory(), 'loaded.json');
  await run(process.execPath, ['--require', preload, ...orgctl.slice(1), ...args], {
    env: { ...emptyEnvironment(), ORGCTL_TEST_LOADED: report, ...env },
  });
  const { files, modules } = z.parse(loadedSchema, JSON.parse(readFileSync(report, 'utf8')));
  return { files, modules };
}

// Each of these takes a twentieth of a start or more.
const heavy = ['net', 'stream', 'child_process', 'fs/promises', 'crypto', 'http', 'tls', 'zlib', 'readline'];
const heavyOf = ({ modules }: Loaded) => heavy.filter((name) => modules.includes(`NativeModule ${name}`));

// The build has made the help.
it.each([[['--version']], [['connections', 'create', '--help']]])(
  'for %j one file is loaded, and nothing heavy of Node',
  async (args) => {
    const loaded = await loadedBy(args);
    expect([loaded.files, heavyOf(loaded)]).toEqual([['main.cjs'], []]);
  },
);

it('for quotas is loaded what sends a request and prints it: each kilobyte costs about 0.2 ms', async () => {
  await using service = await startServer();
  const loaded = await loadedBy(['quotas', '-o', 'json'], serviceEnvironment(service));
  expect(heavyOf(loaded)).not.toContain('child_process');
  const bytes = loaded.files.map((name) => statSync(join(dist, name)).size);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(200_000);
});
