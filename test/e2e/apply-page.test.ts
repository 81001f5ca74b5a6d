import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from '../../src/api/schema/schema.js';
import { useToolOnPath } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { isMissing } from '../support/programs.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const path = useToolOnPath();
const service = useService();
const page = 'docs/guides/organization-file.md';
const ciPage = 'docs/guides/ci.md';
const file = codeBlock(page, '# yaml-language-server');
const workflow = codeBlock(ciPage, 'name: organization');
const workflowSchema = z.object({
  jobs: z.object({
    plan: z.object({ steps: z.array(z.object({ run: z.optional(z.string()) })) }),
    apply: z.object({ steps: z.array(z.object({ run: z.optional(z.string()) })) }),
  }),
});

/** What the steps of a job run once orgctl is installed, as GitHub's runners do: `bash -e`. */
function scriptOf(job: 'plan' | 'apply'): string {
  const { jobs } = z.parse(workflowSchema, parse(workflow));
  return jobs[job].steps.flatMap(({ run }) => (run?.includes('orgctl ') ? [run] : [])).join('\n');
}

function repository() {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'org.yaml'), file);
  const outputs = {
    GITHUB_OUTPUT: join(directory, 'output'),
    GITHUB_STEP_SUMMARY: join(directory, 'summary'),
  };
  const env = { ...service.environment(), ...outputs, PATH: `${path}:${process.env['PATH']}` };
  const run = (script: string, more = {}) =>
    promisify(execFile)('bash', ['-ec', script], { cwd: directory, env: { ...env, ...more } });
  return { directory, run, read: (name: string) => readFileSync(join(directory, name), 'utf8') };
}

describe.skipIf(isMissing('bash'))('docs/guides/organization-file.md and ci.md', () => {
  it('has a workflow that goes from the pull request to the organization, as pasted', async () => {
    const { directory, run, read } = repository();
    await run(scriptOf('plan'));
    expect(read('output')).toBe('changes=true\n');
    expect(read('summary')).toContain('  + platform\n');
    expect(read('plan.json')).not.toContain(service.server.secret);
    const { stdout } = await run(scriptOf('apply'), { APP_DB_PASSWORD: 'hunter2' });
    expect(stdout.match(/^created /gm)).toHaveLength(3);
    expect(existsSync(join(directory, 'ci.secret'))).toBe(true);

    await run(scriptOf('plan'));
    expect(read('output')).toBe('changes=true\nchanges=false\n');
    writeFileSync(join(directory, 'org.yaml'), 'version: 2');
    await expect(run(scriptOf('plan'))).rejects.toMatchObject({ code: 2 });
  });

  it('has a walk of which each line works', async () => {
    const { run, read } = repository();
    const { stderr } = await run(codeBlock(page, 'orgctl export'));
    expect(stderr).toContain('nothing to change');
    expect(read('org.yaml')).toContain('version: 1');
  });
});

it.skipIf(isMissing('bash'))('README.md says the same in three lines', async () => {
  const { run } = repository();
  const script = codeBlock('README.md', 'orgctl export').replace('--exit-code ', '');
  expect((await run(script)).stderr).toContain('nothing to change');
});
