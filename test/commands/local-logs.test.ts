import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { headerOf, hostilePeer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { serviceEnvironment } from '../support/service.js';
import { useLocalServer } from './support/local-server.js';

const steered = useLocalServer();
const { local } = steered;

function environment(running: RunningServer) {
  return { ...emptyEnvironment(), ...serviceEnvironment(running) };
}

function orgctl(...args: string[]) {
  return runCli(args, { env: environment(steered.server) });
}

describe('orgctl local logs', () => {
  it('has a request a line, and below it the reason if it was refused; in a pipe on the same line', async () => {
    await orgctl('teams', 'create', '--name', 'a');
    await orgctl('teams', 'get', 'team_none');
    const { stdout } = await local('logs', { isTTY: true, env: { ...emptyEnvironment(), NO_COLOR: '1' } });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}201 {2}POST \/teams {3}key_\S+ {3}[\d.]+ ms$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}404 {2}GET \/teams\/team_none {3}key_\S+$/);
    expect(lines[2]).toMatch(/^ {15}✗ ./);
    expect(lines[3]).toMatch(/^ {15}→ ./);
    const piped = `${lines[0]}\n${lines.slice(1).join(' ').replaceAll(/ {16}/g, '   ')}\n`;
    expect((await local('logs')).stdout).toBe(piped);
    expect((await local('logs --status 4xx --color always')).stdout).toContain('\u001b[33m404');
    const table = await local('logs --columns method,status');
    expect(table.stdout).toBe('METHOD  STATUS\nPOST    201\nGET     404\n');
  });

  it('shows those that are asked for', async () => {
    await orgctl('teams', 'create', '--name', 'a');
    await orgctl('teams', 'get', 'team_none');
    const shown = async (flags: string) => {
      const { stdout, stderr } = await local(`logs ${flags} --columns status --no-headers`);
      return stdout + stderr;
    };
    expect(await shown('--method post')).toBe('201\n');
    expect(await shown('--refused')).toBe('404\n');
    expect(await shown('--path /nothing')).toBe('no matching requests\n');
    expect(await shown('--since 1h -n 1')).toBe('404\n');
    await local('clock advance 2h');
    expect(await shown('--since 1h')).toBe('no matching requests\n');
    expect(await shown('--since 3h')).toBe('201\n404\n');
    expect(await shown('--since 2999-01-01T00:00:00Z')).toBe('no matching requests\n');
  });

  it.each([
    ['--key ci', /^--key "ci": not a key ID$/],
    [
      '--since yesterday',
      /^--since: must be a duration such as 10m, or a time such as .* \(got "yesterday"\)$/,
    ],
    ['--status 9', /^--status: .*"9"/],
    ['-n x', /^--limit: must be an integer from 1 to 9999 \(got "x"\)$/],
  ])('refuses %s', async (flags, message) => {
    const error = { code: 'usage', message: expect.stringMatching(message) };
    expect(errorOf(await local(`logs ${flags} -o json`))).toMatchObject(error);
  });

  it('shows of a wrong signature the string to sign, and in JSON the text itself', async () => {
    const env = { ...environment(steered.server), ORGCTL_SECRET: 'b'.repeat(64) };
    expect(await runCli(['quotas'], { env })).toMatchObject({ code: 4 });
    const { stdout } = await local('logs --refused --limit 1 --verbose');
    expect(stdout).toMatch(/^\d.* {3}expected: GET\\n\/quotas\\n\d+\\n\\n\n$/);
    const asJson = await local('logs --refused --limit 1 -o json');
    expect(JSON.parse(asJson.stdout)).toMatchObject([
      { refusal: { canonical: expect.stringMatching(/^GET\n\/quotas\n\d+\n\n$/) } },
    ]);
  });
});

describe('orgctl local logs --follow', () => {
  it('survives a restart, and ends quietly when its reader leaves', async () => {
    const own = temporaryDirectory();
    let running = await startServer({ data: own, http: true });
    const send = () => runCli(['request', 'GET', '/teams'], { env: environment(running) });
    await send();
    const { system, ended } = startCli(['local', 'logs', '--follow', '--data', own, '-o', 'jsonl']);
    const lines = () => system.stdoutText().split('\n').length - 1;
    await expect.poll(lines).toBe(1);
    await send();
    await expect.poll(lines).toBe(2);
    await running.close();
    await expect.poll(() => system.stderrText()).toContain('the server has stopped');
    running = await startServer({ data: own, http: true });
    await send();
    await expect.poll(lines, { timeout: 5000 }).toBe(3);
    expect(system.stderrText()).toContain(
      'is running again; requests that it answered while stopping may be missing',
    );
    system.closeStdout();
    await send();
    expect((await ended).code).toBe(0);
    for (const line of system.stdoutText().trimEnd().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ target: '/teams', status: 200 });
    }
    await running.close();
  });

  it('begins with the last 10, says how many requests it missed, and goes on where it was', async () => {
    // A server that keeps less than its readers want to know, and is killed.
    const peer = await hostilePeer((_request, socket, nth) => {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(chunk('id: a-1\n\nevent: missed\ndata: {"count":7}\n\n'));
      if (nth === 0) socket.end(chunk('id: a-9\n\n'));
    });
    const control = { ORGCTL_CONTROL_URL: `${peer.origin}/_control`, ORGCTL_CONTROL_TOKEN: 'x' };
    const { system, ended } = startCli(['local', 'logs', '-f'], {
      env: { ...emptyEnvironment(), ...control },
    });
    await expect.poll(() => system.stderrText(), { timeout: 5000 }).toContain('is running again\n');
    await expect.poll(() => system.stderrText().split('requests not shown: 7;')).toHaveLength(3);
    const asked = peer.requests.map((request) => headerOf(request, 'last-event-id'));
    expect(asked).toEqual([undefined, 'a-9']);
    expect(peer.requests[0]?.target).toMatch(/[?&]limit=10(&|$)/);
    system.raise('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  it('shows characters whole whose bytes arrive in two pieces', async () => {
    await orgctl('request', 'GET', '/teams');
    const [entry] = JSON.parse((await local('logs --limit 1 -o json')).stdout);
    const event = (target: string) => `event: request\ndata: ${JSON.stringify({ ...entry, target })}\n\n`;
    const bytes = Buffer.from(event('/first') + event('/teams/Zoë'));
    const cut = bytes.indexOf('ë') + 1;
    const sockets: Socket[] = [];
    const peer = await hostilePeer((_request, socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes.subarray(0, cut));
      sockets.push(socket);
    });
    const control = { ORGCTL_CONTROL_URL: `${peer.origin}/_control`, ORGCTL_CONTROL_TOKEN: 'x' };
    const env = { ...emptyEnvironment(), ...control };
    const { system, ended } = startCli(['local', 'logs', '-f', '-o', 'jsonl'], { env });
    await expect.poll(() => system.stdoutText()).toContain('/first');
    for (const socket of sockets) socket.write(bytes.subarray(cut));
    await expect.poll(() => system.stdoutText().split('\n')).toHaveLength(3);
    expect(system.stdoutText()).toContain('"/teams/Zoë"');
    system.raise('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  it('ends where a restarted server has another token than the environment', async () => {
    const peer = await hostilePeer((_request, socket, nth) => {
      const news = 'Content-Type: text/event-stream\r\nConnection: close\r\n\r\nid: a-1\n\n';
      socket.end(nth === 0 ? `HTTP/1.1 200 OK\r\n${news}` : 'HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n');
    });
    const control = { ORGCTL_CONTROL_URL: `${peer.origin}/_control`, ORGCTL_CONTROL_TOKEN: 'x' };
    const ended = await runCli(['local', 'logs', '-f'], { env: { ...emptyEnvironment(), ...control } });
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('waiting for it to start') });
  });
});
