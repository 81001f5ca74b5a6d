import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { useLocalServer } from './support/local-server.js';

const steered = useLocalServer();
const { data } = steered;

describe('orgctl local', () => {
  it('acts on no server that a profile or an address seems to choose', async () => {
    for (const option of [
      ['-p', 'other'],
      ['--base-url', steered.server.url],
    ]) {
      const ended = await runCli(['local', 'reset', '--yes', ...option]);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--data DIR') });
      expect(await runCli(['local', 'status', '--data', data, ...option])).toMatchObject({ code: 0 });
    }
  });
});

describe('what orgctl local finds', () => {
  it('is a server of the environment, of this machine alone', async () => {
    const own = {
      ORGCTL_CONTROL_URL: `${steered.server.url}/_control`,
      ORGCTL_CONTROL_TOKEN: steered.server.controlToken,
      ORGCTL_CA_FILE: steered.server.caFile,
    };
    for (const [change, code] of [
      [{}, 0],
      [{ ORGCTL_CONTROL_URL: `${own.ORGCTL_CONTROL_URL}/` }, 0],
      [{ ORGCTL_CONTROL_URL: steered.server.url }, 0],
      [{ ORGCTL_CONTROL_URL: `${steered.server.url}/` }, 0],
      [{ ORGCTL_CONTROL_TOKEN: undefined }, 3],
      [{ ORGCTL_CONTROL_URL: undefined }, 3],
      [{ ORGCTL_CONTROL_URL: 'https://service.example/_control' }, 3],
      [{ ORGCTL_CONTROL_TOKEN: 'other' }, 4],
    ] as const) {
      const env = { ...emptyEnvironment(), ...own, ...change };
      expect([change, (await runCli(['local', 'clock', 'show'], { env })).code]).toEqual([change, code]);
    }
  });

  it('is no server that is gone, and no other in its place', async () => {
    const file = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
    const free = await startServer({ http: true });
    await free.close();
    const body = '{"anything":"goes"}';
    const stranger = await hostilePeer(
      () => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const { id } = await steered.server.control.keys.issue({ name: 'kept' });
    const stale: [object, RegExp][] = [
      [{ pid: 2 ** 22 + 1 }, /is no longer running$/],
      [{ token: 'other' }, /another server answers at /],
      [{ startedAt: '2030-01-01T00:00:00.000Z' }, /another server answers at /],
      [{ pid: process.ppid }, /another server answers at /],
      [{ control: `${stranger.origin}/_control` }, /another server answers at /],
      // The directory was copied while its server ran.
      [{}, new RegExp(`runs on ${data}$`)],
      [{ control: `${free.url}/_control` }, /nothing answers at http:\/\/127/],
      [{ pid: 'x' }, /is not a server's file$/],
    ];
    for (const [change, message] of stale) {
      const other = temporaryDirectory();
      writeFileSync(join(other, 'server.json'), JSON.stringify({ ...file, ...change }), { mode: 0o600 });
      const ended = await runCli(['local', 'status', '--data', other, '-o', 'json']);
      expect(ended.code).toBe(3);
      expect(errorOf(ended)).toMatchObject({ code: 'config', message: expect.stringMatching(message) });
      expect((await runCli(['local', 'reset', '--yes', '--data', other])).code).toBe(3);
    }
    expect(await steered.server.control.keys.list()).toContainEqual(expect.objectContaining({ id }));
    const none = await runCli(['local', 'status', '-o', 'json']);
    expect(errorOf(none)).toMatchObject({ code: 'config', hint: expect.stringContaining('orgctl serve') });
  });
});
