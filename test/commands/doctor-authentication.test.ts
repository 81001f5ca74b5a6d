import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { headerOf, hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { environmentOf, examine } from './support/doctor.js';

const service = useService();

describe('doctor on authentication', () => {
  it('points to --try-basic where the signature is refused', async () => {
    const { ended, results } = await examine(service.environment({ ORGCTL_SECRET: 'f'.repeat(64) }));
    expect(ended.code).toBe(4);
    expect(results).toMatchObject({ clock: 'ok', authentication: 'failed' });
    expect(results).not.toHaveProperty('basic');
    expect(errorOf(ended)).toMatchObject({
      message: 'Invalid API signature',
      hint: expect.stringContaining('orgctl doctor --try-basic'),
    });
  });

  it.each([
    [404, { message: 'Not Found' }, 6],
    [429, { message: 'Too Many Requests' }, 8],
    [401, { message: 'Invalid API key' }, 4],
    [403, { message: 'API key is disabled' }, 5],
    [404, { message: 'Not Found' }, 6],
    [429, { message: 'Too Many Requests' }, 8],
    [302, '', 10],
  ])('has the exit code of an answer of %i', async (status, body, code) => {
    const peer = await hostilePeer(() => httpAnswer(status, body, { Date: new Date().toUTCString() }));
    const { ended, results } = await examine(environmentOf(peer.origin));
    expect(ended.code).toBe(code);
    expect(results).toMatchObject({ clock: 'ok', authentication: 'failed' });
    expect(peer).toMatchObject({ requests: { length: 1 }, connections: 2 });
  });

  it('asks a port that answers 400 whether it wants TLS, and no other', async () => {
    const handshake = 0x16;
    const peer = await hostilePeer(() => httpAnswer(400, { message: 'plain HTTP to a TLS port' }), {
      onConnection: (socket) => socket.once('data', ([first]) => first === handshake && socket.destroy()),
    });
    const { ended } = await examine(environmentOf(peer.origin));
    expect(ended.code).toBe(14);
    expect(peer.connections).toBe(3);
  });

  it('takes a 404 at /quotas for a wrong address', async () => {
    const peer = await hostilePeer(() => httpAnswer(404, { message: 'Not Found' }));
    const { ended } = await examine(environmentOf(peer.origin));
    expect(errorOf(ended)).toMatchObject({
      message: expect.stringContaining(`${peer.origin} is not the address of the service`),
      hint: expect.stringContaining('orgctl whoami'),
      exitCode: 6,
    });
  });

  it('tells a connection that is cut', async () => {
    const cut = { onConnection: (socket: Socket) => socket.once('data', () => socket.destroy()) };
    const peer = await hostilePeer(() => undefined, cut);
    const { ended, results } = await examine(environmentOf(peer.origin));
    expect(ended.code).toBe(9);
    expect(results).toMatchObject({ connection: 'ok', clock: 'skipped', authentication: 'failed' });
  });
});

describe('doctor --try-basic', () => {
  it('tells a wrong secret', async () => {
    const env = service.environment({ ORGCTL_SECRET: 'f'.repeat(64) });
    const ended = await runCli(['doctor', '--try-basic'], { env });
    expect(ended.code).toBe(4);
    expect(ended.stdout).toMatch(/^basic +failed +Invalid API key secret$/m);
    const [warning, error, hint] = ended.stderr.split('\n');
    expect(warning).toBe(`warning: --try-basic sends the secret to ${service.server.url}`);
    expect(error).toBe('error: Invalid API signature');
    expect(hint).toContain('does not belong to this key ID');
    expect(ended.stdout + ended.stderr).not.toContain('fffff');
  });

  it('tells a broken signature', async () => {
    const record = { teams: { limit: 1, used: 0, remaining: 1 } };
    const peer = await hostilePeer((request) =>
      headerOf(request, 'authorization') === undefined
        ? httpAnswer(401, { statusCode: 401, message: 'Invalid API signature' })
        : httpAnswer(200, { data: [record], total: 1, page: 1, limit: 20, pages: 1 }),
    );
    const { ended, finding } = await examine(environmentOf(peer.origin), ['--try-basic']);
    expect(ended.code).toBe(4);
    expect(finding('basic')).toMatchObject({
      result: 'ok',
      detail: expect.stringContaining('the secret is right'),
    });
    expect(ended.stderr).toContain('--format explain');
  });

  it.each([
    ['where the signature is accepted', {}, 'was not sent'],
    ['where the key is unknown', { ORGCTL_KEY_ID: 'key_unknown' }, 'was not sent'],
    ['where Basic is in use', { ORGCTL_AUTH: 'basic', ORGCTL_SECRET: 'f'.repeat(64) }, 'already in use'],
  ])('sends no secret of its own accord %s', async (_where, variables, detail) => {
    const { ended, finding } = await examine(service.environment(variables), ['--try-basic']);
    expect(finding('basic')).toMatchObject({ result: 'skipped', detail: expect.stringContaining(detail) });
    expect(ended.stderr).not.toContain('warning');
  });
});
