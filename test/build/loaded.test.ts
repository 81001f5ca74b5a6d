import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { startServer } from '../../src/server/index.js';
import { orgctl, root } from '../support/built-tool.js';
import { scriptedPeer } from '../support/hostile-peer.js';
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
async function loadedBy(
  args: readonly string[],
  env: Record<string, string> = {},
  exitCode = 0,
): Promise<Loaded> {
  const report = join(temporaryDirectory(), 'loaded.json');
  const running = run(process.execPath, ['--require', preload, ...orgctl.slice(1), ...args], {
    env: { ...emptyEnvironment(), ORGCTL_TEST_LOADED: report, ...env },
  });
  const [result] = await Promise.allSettled([running]);
  expect(result).toMatchObject(exitCode === 0 ? { status: 'fulfilled' } : { reason: { code: exitCode } });
  const { files, modules } = z.parse(loadedSchema, JSON.parse(readFileSync(report, 'utf8')));
  return { files, modules };
}

/** What only some commands need of the packages, each with a name in its code, which the build keeps. */
const packages = {
  commander: 'CommanderError',
  zod: 'ZodMiniType',
  undici: 'BodyTimeoutError',
  kysely: 'SqliteQueryCompiler',
  pg: 'PostgresQueryCompiler',
  yaml: 'resolveKnownTags',
  'cli-table3': 'wrapOnWordBoundary',
  'string-width': 'eastAsianWidth',
};

function packagesOf(files: readonly string[]): string[] {
  const code = files.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n');
  return Object.entries(packages).flatMap(([name, marker]) => (code.includes(marker) ? [name] : []));
}

function filesWith(text: string, files: readonly string[]): string[] {
  return files.filter((name) => readFileSync(join(dist, name), 'utf8').includes(text));
}

/** Bytes of code that `quotas -o json` may load; each kilobyte costs it about 0.2 ms. */
const mostForQuotas = 200_000;

// Node's own sockets, streams and processes, each of which takes a twentieth of a start or more.
const heavy = ['net', 'stream', 'child_process', 'fs/promises', 'crypto', 'http', 'tls', 'zlib', 'readline'];
const heavyOf = ({ modules }: Loaded) => heavy.filter((name) => modules.includes(`NativeModule ${name}`));

describe('what is loaded', () => {
  it('is told by names that the build has', () => {
    const all = readdirSync(dist).filter((name) => name.endsWith('.cjs'));
    expect(packagesOf(all)).toEqual(Object.keys(packages));
    expect(filesWith('secret-newline', all)).toHaveLength(1);
  });

  it.each([
    [['--version']],
    // The build has made this.
    [['connections', 'create', '--help']],
  ])('for %j: one file, and nothing heavy of Node', async (args) => {
    const loaded = await loadedBy(args);
    expect(loaded.files).toEqual(['main.cjs']);
    expect(packagesOf(loaded.files)).toEqual([]);
    expect(heavyOf(loaded)).toEqual([]);
  });

  it('for help that is laid out: what parses, and nothing that sends', async () => {
    const loaded = await loadedBy(['connections', 'create', '--quiet', '--help']);
    expect(packagesOf(loaded.files)).toEqual(['commander']);
    for (const name of ['http', 'tls', 'child_process']) expect(heavyOf(loaded)).not.toContain(name);
  });

  it('for quotas: what sends a request and prints it', async () => {
    await using service = await startServer();
    const loaded = await loadedBy(['quotas', '-o', 'json'], serviceEnvironment(service));
    expect(packagesOf(loaded.files)).toEqual(['commander']);
    expect(heavyOf(loaded)).not.toContain('child_process');
    const bytes = loaded.files.map((name) => statSync(join(dist, name)).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(mostForQuotas);
  });

  it('for an answer without a status of HTTP: not the JavaScript parser by which Node names an assertion', async () => {
    const peer = await scriptedPeer(['HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n']);
    const environment = {
      ORGCTL_BASE_URL: peer.origin,
      ORGCTL_KEY_ID: 'key_a',
      ORGCTL_SECRET: 'f'.repeat(64),
    };
    const { modules } = await loadedBy(['request', 'GET', '/'], environment, 10);
    expect(modules.filter((name) => name.includes('acorn'))).toEqual([]);
  });

  it('for serve: neither the client, nor what makes certificates when there are some, nor PostgreSQL', async () => {
    const data = join(temporaryDirectory(), 'data');
    const serve = ['serve', '--no-profile', '-q', '--data', data, '--', process.execPath, '-e', '0'];
    await loadedBy(serve);
    const { files } = await loadedBy(serve);
    expect(packagesOf(files)).toEqual(['commander', 'zod', 'kysely']);
    // The known mistakes of clients wait for the first refused signature.
    expect(filesWith('secret-newline', files)).toEqual([]);
  });
});
