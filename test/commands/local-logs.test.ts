import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
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
  it('has a request a line, and below it the reason if it was refused', async () => {
    await orgctl('teams', 'create', '--name', 'a');
    await orgctl('teams', 'get', 'team_none');
    const { stdout } = await local('logs', { isTTY: true, env: { ...emptyEnvironment(), NO_COLOR: '1' } });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d {2}201 {2}POST \/teams {3}key_\S+ {3}[\d.]+ ms$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}404 {2}GET \/teams\/team_none {3}key_\S+$/);
    expect(lines[2]).toMatch(/^ {15}✗ ./);
    expect(lines[3]).toMatch(/^ {15}→ ./);
    expect((await local('logs')).stdout).toBe(stdout);
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
    ['--key ci', '--key: not a key ID'],
    ['--since yesterday', expect.stringContaining('since: must be a duration such as 10m')],
    ['-f -n x', 'limit: must be an integer from 0 to 9999'],
  ])('refuses %s', async (flags, message) => {
    expect(errorOf(await local(`logs ${flags} -o json`))).toMatchObject({ code: 'usage', message });
  });

  it('shows of a wrong signature the string to sign, on one line', async () => {
    const env = { ...environment(steered.server), ORGCTL_SECRET: 'b'.repeat(64) };
    expect(await runCli(['quotas'], { env })).toMatchObject({ code: 4 });
    const { stdout } = await local('logs --refused --limit 1 --verbose');
    expect(stdout).toMatch(/^\d.*\n.*\n +expected: GET\\n\/quotas\\n\d+\\n\\n\n$/);
    const asJson = await local('logs --refused --limit 1 -o json');
    expect(JSON.parse(asJson.stdout)).toMatchObject([
      { refusal: { canonical: expect.stringMatching(/^GET\\n\/quotas\\n\d+\\n\\n$/) } },
    ]);
  });
});

describe('orgctl local logs --follow', () => {
  it('follows until the server stops, or its reader leaves, and ends quietly', async () => {
    const own = temporaryDirectory();
    const running = await startServer({ data: own, http: true });
    const send = () => runCli(['request', 'GET', '/teams'], { env: environment(running) });
    await send();
    const follow = () => startCli(['local', 'logs', '--follow', '--data', own, '-o', 'jsonl']);
    const lines =
      ({ system }: ReturnType<typeof follow>) =>
      () =>
        system.stdoutText().split('\n').length - 1;
    const [first, second] = [follow(), follow()];
    for (const each of [first, second]) await expect.poll(lines(each)).toBe(1);
    await send();
    for (const each of [first, second]) await expect.poll(lines(each)).toBe(2);
    first.system.closeStdout();
    await send();
    expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(lines(second)).toBe(3);
    await running.close();
    const stderr = '{"note":"the server has stopped"}\n';
    const { stdout, ...ended } = await second.ended;
    expect(ended).toEqual({ code: 0, stderr });
    for (const line of stdout.trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ target: '/teams', status: 200 });
  });

  it('begins with the last 10, says how many requests it missed, and ends as a signal says', async () => {
    // A server that keeps less than its readers want to know.
    const peer = await hostilePeer((_request, socket) => {
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(chunk('id: a-1\n\nevent: missed\ndata: {"count":7}\n\n'));
    });
    const control = { ORGCTL_CONTROL_URL: `${peer.origin}/_control`, ORGCTL_CONTROL_TOKEN: 'x' };
    const { system, ended } = startCli(['local', 'logs', '-f'], {
      env: { ...emptyEnvironment(), ...control },
    });
    await expect.poll(() => system.stderrText()).toContain('requests not shown: 7;');
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
      // One more byte than comes, so that the stream stays open.
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length + 1}\r\n\r\n`);
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
});
