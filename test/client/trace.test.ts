import { describe, expect, it } from 'vitest';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { type ClientOptions, credential, failureOf, openClient } from './support/open-client.js';

const mask = '********';
const encoded = Buffer.from(`${credential.keyId}:${credential.secret}`).toString('base64');

async function traceOf(
  answer: string | Buffer,
  body?: unknown,
  options: ClientOptions & { readonly target?: string; readonly headers?: Record<string, string> } = {},
): Promise<string[]> {
  const { target = '/connections', headers, ...rest } = options;
  const peer = await scriptedPeer([answer]);
  const { transport, traced } = openClient(peer, rest);
  await failureOf(
    transport.send({
      method: body === undefined ? 'GET' : 'POST',
      target,
      headers,
      body:
        body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      contentType: 'application/json',
    }),
  );
  return traced;
}

describe('a trace', () => {
  it('masks the passwords and secrets of bodies, at any depth and in both directions', async () => {
    const data = [{ pwd: 'hunter2', id: 'conn_1', apiKey: { name: 'hunter2' } }, 'hunter2'];
    const host = 'postgres://u:hunter2@h:5432/d?x=1';
    const body = { name: 'db', config: { user: 'u', password: 'hunter2' }, data, host };
    const traced = await traceOf(httpAnswer(201, body), body);
    const masked = {
      ...{ name: 'db', config: { user: 'u', password: mask } },
      data: [{ pwd: mask, id: 'conn_1', apiKey: mask }, mask],
      host: `postgres://${mask}@h:5432/d?x=${mask}`,
    };
    expect(traced).toContain(`> ${JSON.stringify(masked)}`);
    // Of what was sent with a secret in it, the answer's echo shows nothing.
    expect(traced).toContain(`< ${JSON.stringify({ ...masked, host: mask })}`);
  });

  it.each(['hmac', 'basic'] as const)('never has the secret, wherever it stands (%s)', async (auth) => {
    const said = `you sent ${credential.secret} as ${encoded}`;
    const traced = await traceOf(
      httpAnswer(400, { message: said, note: [said] }, { 'X-Echo': said }),
      { note: said },
      {
        auth,
        target: `/connections?note=${credential.secret}`,
        headers: { 'X-Note': credential.secret },
      },
    );
    expect(traced.join('\n')).not.toContain(credential.secret);
    expect(traced.join('\n')).not.toContain(encoded);
    expect(traced.filter((line) => line.includes(mask)).length).toBeGreaterThanOrEqual(6);
  });
});
