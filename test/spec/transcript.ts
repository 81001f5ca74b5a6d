import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { type Ended, startCli } from '../support/run-cli.js';
import { stableNames } from './stable-names.js';
import { redirectionOf, splitWords } from './words.js';

/**
 * Replays a transcript of this directory: one test for each `# title`, with the server reset and an empty home
 * directory of its own. `UPDATE=1` records. docs/contributing/testing.md describes the format.
 */
export function replay(name: string, options: ServerOptions = {}): void {
  const path = join(import.meta.dirname, `${name}.txt`);
  const sections = readFileSync(path, 'utf8').split(/^(?=# )/m);
  const isRecording = process.env['UPDATE'] === '1';
  describe(name, () => {
    let server: RunningServer;
    beforeAll(async () => {
      const bootstrap = {
        keyId: 'key_00000000000000000000000000000000',
        secret: 'first0secret'.repeat(6).slice(0, 64),
      };
      server = await startServer({ http: true, bootstrap, ...options });
    });
    afterAll(async () => {
      await server.close();
      if (isRecording) writeFileSync(path, sections.join(''));
    });
    // A clock that only commands move: ages and the order of times are the same in each run.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date().setMilliseconds(0) }));
    afterEach(() => void vi.useRealTimers());
    for (const [at, section] of sections.entries()) {
      if (!section.startsWith('# ')) continue;
      it(section.slice(2, section.indexOf('\n')), async () => {
        await server.control.reset();
        const replayed = await replaySection(section, server);
        if (isRecording) sections[at] = replayed;
        else expect(replayed).toBe(section);
      });
    }
  });
}

interface Session {
  readonly env: Record<string, string | undefined>;
  readonly directory: string;
  readonly names: ReturnType<typeof stableNames>;
  /** What runs in the background. */
  readonly jobs: ReturnType<typeof startCli>[];
}

async function replaySection(section: string, server: RunningServer): Promise<string> {
  const session = openSession(server);
  const lines: string[] = [];
  const source = section.split('\n');
  for (const [at, line] of source.entries()) {
    if (/^(?: {2}|! |= |< )/.test(line)) continue;
    lines.push(line);
    if (!/^[$%] /.test(line)) continue;
    const typed = source.slice(
      at + 1,
      source.findIndex((next, index) => index > at && !next.startsWith('< ')),
    );
    lines.push(...typed);
    const input = typed.map((text) => text.slice(2));
    lines.push(...shown(await runLine(line, input, session), session));
  }
  return lines.join('\n');
}

/** A terminal and a machine without anybody's settings. Paths have one length everywhere, because tables depend on it. */
function openSession(server: RunningServer): Session {
  const parent = mkdtempSync(join(tmpdir(), 'spec-'));
  const directory = join(parent, 'd'.repeat(Math.max(1, 80 - parent.length)));
  mkdirSync(directory, { mode: 0o700 });
  const config = join(directory, 'config');
  mkdirSync(config, { mode: 0o700 });
  const { url: baseUrl, keyId, secret, caFile } = server;
  const profiles = { version: 1, current: 'main', profiles: { main: { baseUrl, keyId, secret, caFile } } };
  writeFileSync(join(config, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 });
  const env = {
    HOME: directory,
    ORGCTL_CONFIG_DIR: config,
    XDG_DATA_HOME: join(directory, 'data'),
    ORGCTL_CONTROL_URL: server.url,
    ORGCTL_CONTROL_TOKEN: server.controlToken,
    NO_COLOR: '1',
    TZ: 'UTC',
  };
  const fixed = {
    [server.url]: '$URL',
    [server.secret]: '$SECRET',
    [server.controlToken]: '$TOKEN',
    [directory]: '$HOME',
  };
  const session = { env, directory, names: stableNames(fixed), jobs: [] };
  onTestFinished(() => stopAll(session));
  return session;
}

async function stopAll({ jobs }: Session): Promise<void> {
  for (const { system } of jobs) system.raise('SIGTERM');
  await Promise.all(jobs.map(({ ended }) => ended));
}

/** A line of a transcript: an orgctl command, `NAME=$(orgctl …)`, `… & TEXT` in the background, `kill`, or one of the shell. */
async function runLine(line: string, input: readonly string[], session: Session): Promise<Ended> {
  vi.setSystemTime(Date.now() + 1000);
  const typed = session.names.restore(line.slice(2));
  const capture = /^(\w+)=\$\((.*)\)$/.exec(typed);
  if (capture !== null) {
    const { stdout, ...ended } = await runLine(`$ ${capture[2]}`, input, session);
    session.env[capture[1] ?? ''] = stdout.replace(/\n$/, '');
    return { ...ended, stdout: '' };
  }
  const kill = /^kill(?: -(\w+))?(?: & (.+))?$/.exec(typed);
  if (kill !== null) return endJob(session, kill[1] ?? 'TERM', kill[2] ?? '');
  const [command = '', background] = typed.split(/ &(?: |$)/);
  const { words, variables } = splitWords(command, session.env);
  if (words[0] !== 'orgctl') return runShell(typed, input, session);
  const { args, output } = redirectionOf(words.slice(1));
  const isTTY = line.startsWith('% ');
  const env = { ...session.env, ...variables };
  if (!env['ORGCTL_CONFIG_DIR']?.startsWith(dirname(session.directory)))
    throw new Error('a transcript needs a config directory of its own');
  const stdin = input.map((text) => `${session.names.restore(text)}${isTTY ? '\r' : '\n'}`).join('');
  const columns = Number(variables['COLUMNS'] ?? 80);
  const job = startCli(args, { env, stdin, isTTY, columns, cwd: session.directory });
  if (background !== undefined) return startJob(session, job, background);
  const ended = await job.ended;
  if (output === undefined) return ended;
  writeFileSync(join(session.directory, output), ended.stdout);
  return { ...ended, stdout: '' };
}

async function startJob(session: Session, job: ReturnType<typeof startCli>, text: string): Promise<Ended> {
  session.jobs.push(job);
  const early = job.ended.then(({ code, stderr }) => {
    throw new Error(`ended with ${code}: ${stderr}`);
  });
  early.catch(() => undefined);
  await Promise.race([
    expect.poll(() => job.system.stdoutText() + job.system.stderrText()).toContain(text),
    early,
  ]);
  return { code: 0, stdout: '', stderr: '' };
}

async function endJob({ jobs }: Session, signal: string, text: string): Promise<Ended> {
  const job = jobs.pop();
  if (job === undefined) throw new Error('nothing runs in the background');
  await expect.poll(() => job.system.stdoutText()).toContain(text);
  job.system.raise(signal === 'INT' ? 'SIGINT' : signal === 'HUP' ? 'SIGHUP' : 'SIGTERM');
  return job.ended;
}

function runShell(typed: string, input: readonly string[], { env, directory }: Session): Promise<Ended> {
  return new Promise((resolve) => {
    const shell = { cwd: directory, env: { PATH: process.env['PATH'], ...env } };
    const child = execFile('sh', ['-c', typed], shell, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
    // A command may end without reading it.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input.map((text) => `${text}\n`).join(''));
  });
}

/** The line that shows on a terminal how far long work is: what it says depends on time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the line is drawn by them.
const progress = /(?:\r\u001b\[K[^\r\u001b]*)+\r\u001b\[K/g;

/** stdout is indented, `! ` begins a line of stderr, and `= ` the exit code, unless it is 0. */
function shown({ code, stdout, stderr }: Ended, { names }: Session): readonly string[] {
  const lines = (output: string, mark: string) => {
    const text = output.replace(progress, '').replace(/\n$/, '');
    return text === '' ? [] : text.split('\n').map((line) => `${mark}${names.replace(line)}`);
  };
  return [...lines(stdout, '  '), ...lines(stderr, '! '), ...(code === 0 ? [] : [`= ${code}`])];
}
