import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isStandalone, useToolOnPath } from '../support/built-tool.js';
import { asShown, codeBlock } from '../support/pages.js';
import { isMissing } from '../support/programs.js';
import { runProcess } from '../support/run-built-tool.js';
import { emptyEnvironment, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { pseudoTerminal } from './support/pseudo-terminal.js';

const readme = 'README.md';
const gettingStarted = 'docs/getting-started.md';
const ci = 'docs/guides/ci.md';
const directory = useToolOnPath();
const service = useService({ http: false });

/** The tool on the path, and nothing of this machine's own. */
function environment(): Record<string, string> {
  return { ...emptyEnvironment(), PATH: `${directory}:${process.env['PATH']}`, NO_COLOR: '1' };
}

/** What a transcript has typed, each with what it shows up to the next. */
function steps(transcript: string): { typed: string; shown: string }[] {
  return transcript.split(/^\$ /m).flatMap((step) => {
    const [typed = '', ...shown] = step.trimEnd().split('\n');
    return typed === '' ? [] : [{ typed, shown: shown.join('\n') }];
  });
}

/** Starts what the page starts first, on a free port, and waits for all that it is shown to say. */
async function serving(env: Record<string, string>): Promise<void> {
  const [start] = steps(codeBlock(gettingStarted, '$ orgctl serve'));
  const server = spawn('sh', ['-c', `exec ${start?.typed} --port 0`], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(server, 'close');
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await closed;
  });
  let said = '';
  const wanted = asShown(start?.shown ?? '');
  for await (const text of server.stderr.setEncoding('utf8')) {
    said += text;
    if (said.includes('stops it')) break;
  }
  expect(said).toMatch(wanted);
}

describe('README and the first pages', () => {
  it.skipIf(isStandalone)('builds, starts a service and asks it as it says', async () => {
    const line = codeBlock(readme, 'npm ci && npm run build').replace('npm ci && npm run build && ', '');
    const { code, stdout } = await runProcess('sh', ['-c', line], { env: environment() });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(asShown(codeBlock(readme, 'KIND'))),
    });
  });

  it.skipIf(isMissing('script', 'bash'))('shows a session as it goes', async () => {
    const env = environment();
    await serving(env);
    const terminal = await pseudoTerminal(env, { columns: 120 });
    const [hidden, ...answers] = codeBlock(gettingStarted, '$ orgctl quotas').split('Password [hidden]\n');
    expect(answers).toHaveLength(1);
    for (const { typed, shown } of steps([hidden, ...answers].join(''))) {
      terminal.type(`${typed}\r`);
      if (typed.includes('--user')) {
        await terminal.shows('Password [hidden]');
        terminal.type('hunter2\r');
      }
      await terminal.shows(asShown(shown));
      await terminal.shows('$ ');
    }
  });

  it.each([
    [readme, 'orgctl connections list --all', 'KIND'],
    [readme, 'orgctl quotas --fail-over 90      #', /team team_\w+\n/],
    [ci, 'orgctl quotas --fail-over 90   ', /team team_\w+\n/],
    [gettingStarted, 'orgctl profile list', 'prod'],
  ])('%s has lines that work: %s', async (page, beginning, shown) => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'connections.yaml'), '- { name: app, type: other, config: {} }\n');
    const env = { ...environment(), ...service.environment() };
    const add = ['profile', 'add', 'prod', '--secret-env', 'ORGCTL_SECRET'];
    expect((await runCli(add, { env })).code).toBe(0);
    const script = codeBlock(page, beginning)
      // It goes on until it is stopped, such as by a reader that leaves.
      .replace(/^orgctl quotas --watch 30s/m, '$& | head -n 1')
      // The line before has made it.
      .replace('connections create --file connections.yaml  ', '$& --dry-run');
    const { PATH } = environment();
    const lines = ['-ec', `cd ${cwd}\n${script}\necho "team $ID"`];
    const { code, stdout } = await runProcess('sh', lines, { env: { ...env, PATH } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(shown) });
  });

  it('has a service that fails on demand', async () => {
    const failing = codeBlock(readme, "orgctl serve --fault 'GET /quotas=503x2'");
    const served = await runProcess('sh', ['-c', failing], { env: environment() });
    expect(served.code).toBe(0);
    expect(served.stderr.match(/ 503 /g)?.length).toBeGreaterThanOrEqual(2);
  });
});
