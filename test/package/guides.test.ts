import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from '../../src/api/schema/schema.js';
import { useToolOnPath } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { isMissing } from '../support/programs.js';
import { runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';

// What the guides print is run as it is printed.
const localPage = 'docs/guides/local-service.md';
const organizationPage = 'docs/guides/organization-file.md';
const containerPage = 'docs/guides/containers.md';
const backupPage = 'docs/operations/backup.md';
const directory = useToolOnPath();
const service = useService();

type Env = Record<string, string | undefined>;

function environment(more: Env = {}): Env {
  return { ...emptyEnvironment(), ...more, PATH: `${directory}:${process.env['PATH']}` };
}

/** Starts a server by a line of a shell, up to its ready line; it ends with the test, or when it is stopped. */
async function serving(line: string, env: Env) {
  const child = spawn('sh', ['-c', `exec ${line}`], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  onTestFinished(() => void child.kill('SIGKILL'));
  const [ready] = await once(createInterface(child.stdout), 'line');
  const stop = async () => {
    child.kill('SIGTERM');
    return closed;
  };
  return { ready: String(ready), stop };
}

/** Runs a block as it stands, up to the first line that fails. */
async function runs(script: string, env: Env, cwd = temporaryDirectory()) {
  const { code, stdout, stderr } = await runProcess('bash', ['-ec', `cd ${cwd}\n${script}`], { env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout + stderr;
}

describe.skipIf(isMissing('bash'))('the pages about serve', () => {
  it('start one in the foreground, one for a command, and one for a program', async () => {
    const [foreground = '', command = ''] = codeBlock(localPage, 'orgctl serve  ').split('\n');
    await (await serving(foreground.replace(/ +#.*$/, ' --port 0 -o json'), environment())).stop();
    await runs(command.replace('npm test', 'orgctl quotas'), environment());
    const file = join(temporaryDirectory(), 'ready.json');
    const line = codeBlock(localPage, 'orgctl serve --ephemeral').replace('/tmp/ready.json', file);
    const { ready } = await serving(line, environment());
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(ready));
  });

  it('look after the data', async () => {
    const env = environment();
    await (await serving('orgctl serve --port 0 -o json', env)).stop();
    const block = codeBlock(backupPage, 'orgctl serve check');
    const restored = block.replace('orgctl-2030-01-01.db', 'orgctl-$(date +%F).db');
    expect(restored).not.toBe(block);
    await runs(restored, env);
    await runs(codeBlock(backupPage, 'orgctl serve rotate-master-key'), env);
  });

  it('steer a server from the shell', async () => {
    const env = environment();
    mkdirSync(env['XDG_DATA_HOME'] ?? '');
    await serving('orgctl serve --port 0 -o json', env);
    await runs('orgctl local keys issue --name ci', env);
    const block = codeBlock(localPage, 'orgctl local status');
    // It goes on until it is stopped, such as by a reader that leaves.
    const script = block.replace(/ +# new POSTs as they arrive/, ' | head -n 0');
    expect(script).toContain('| head');
    await runs(script, env);
  });
});

describe.skipIf(isMissing('bash'))('the pages about an organization’s file', () => {
  const steps = z.object({ steps: z.array(z.object({ run: z.optional(z.string()) })) });
  const workflowSchema = z.object({ jobs: z.object({ plan: steps, apply: steps }) });

  /** What the steps of a job run once orgctl is installed, as GitHub's runners do: `bash -e`. */
  function scriptOf(job: 'plan' | 'apply'): string {
    const workflow = parse(codeBlock('docs/guides/ci.md', 'name: organization'));
    const { jobs } = z.parse(workflowSchema, workflow);
    return jobs[job].steps.flatMap(({ run }) => (run?.includes('orgctl ') ? [run] : [])).join('\n');
  }

  it('have a workflow that goes from the pull request to the organization, and a walk', async () => {
    const cwd = temporaryDirectory();
    const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
    const outputs = { GITHUB_OUTPUT: join(cwd, 'output'), GITHUB_STEP_SUMMARY: join(cwd, 'summary') };
    const env = environment({ ...service.environment(), ...outputs, APP_DB_PASSWORD: 'hunter2' });
    writeFileSync(join(cwd, 'org.yaml'), codeBlock(organizationPage, '# yaml-language-server'));
    await runs(scriptOf('plan'), env, cwd);
    expect([read('output'), read('summary')]).toEqual([
      'changes=true\n',
      expect.stringContaining('  + platform\n'),
    ]);
    expect(read('plan.json')).not.toContain(service.server.secret);
    expect((await runs(scriptOf('apply'), env, cwd)).match(/^created /gm)).toHaveLength(3);
    expect(existsSync(join(cwd, 'ci.secret'))).toBe(true);
    await runs(scriptOf('plan'), env, cwd);
    expect(read('output')).toBe('changes=true\nchanges=false\n');
    expect(await runs(codeBlock(organizationPage, 'orgctl export'), env)).toContain('nothing to change');
  });
});

describe.skipIf(isMissing('bash'))('the page about containers', () => {
  const composeSchema = z.object({
    services: z.object({
      orgctl: z.object({ command: z.string(), healthcheck: z.object({ test: z.array(z.string()) }) }),
      client: z.object({ command: z.array(z.string()), environment: z.record(z.string(), z.string()) }),
    }),
  });

  it('has a server that serves its client, is healthy, and ends', async () => {
    const data = temporaryDirectory();
    const { orgctl, client } = z.parse(composeSchema, parse(codeBlock(containerPage, 'services:'))).services;
    const env = environment();
    const at = (text: string) => text.replaceAll('/data', data);
    const { ready, stop } = await serving(`orgctl ${at(orgctl.command)} --port 0 -o json`, env);
    const { url } = JSON.parse(ready);
    const [, , , health = ''] = orgctl.healthcheck.test;
    expect(await runProcess(process.execPath, ['-e', at(health)])).toMatchObject({ code: 0 });
    const { ORGCTL_BASE_URL: address = '', ORGCTL_CA_FILE: caFile = '' } = client.environment;
    const own = {
      ORGCTL_BASE_URL: address.replace('https://orgctl:8443', url),
      ORGCTL_CA_FILE: at(caFile),
    };
    const script = at(client.command.join('\n').replaceAll('$$', '$'));
    expect(await runs(script, { ...env, ...own })).toContain('api-keys');
    expect(await stop()).toEqual([143, null]);
  });
});
