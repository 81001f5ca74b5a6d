import { describe, expect, it } from 'vitest';
import type { LogEntry, Refusal } from '../../src/server/index.js';
import { basicAuthorization, hmacSignature } from '../../src/signing/index.js';
import { at, type Call, Caller } from './support/caller.js';
import { useServer, useServers } from './support/start.js';

const log: LogEntry[] = [];
/** The server's time stands still, however long a request takes. */
const stoppedAt = Date.now();
const running = useServer({
  quotas: { teams: 0 },
  clock: () => stoppedAt,
  onLog: (entry) => log.push(entry),
});

interface Told {
  readonly status: number;
  readonly message: unknown;
  readonly refusal: Refusal | undefined;
  readonly logged: LogEntry | undefined;
  /** All that log and journal tell. */
  readonly text: string;
}

/** Sends a request, and answers what journal and log tell of it. */
async function tellOf(method: string, target: string, call: Call = {}): Promise<Told> {
  const { journal } = running.server.control;
  await journal.clear();
  log.length = 0;
  const answer = await running.caller.send(method, target, call);
  const [entry] = await journal.get();
  await expect.poll(() => log.length).toBe(1);
  return {
    status: answer.status,
    message: at(answer.json, 'message'),
    refusal: entry?.refusal,
    logged: log[0],
    text: JSON.stringify([entry, log]),
  };
}

const now = () => String(Math.floor(stoppedAt / 1000));

/** The headers of mode B, with what a client may get wrong. */
function signedBy(sign: (secret: string, timestamp: string) => string, timestamp = now()) {
  const { keyId, secret } = running.server;
  return {
    auth: 'none',
    headers: {
      'x-api-key': keyId,
      'x-api-timestamp': timestamp,
      'x-api-signature': sign(secret, timestamp),
    },
  } as const;
}

describe('which check failed, in the order of the checks', () => {
  const own = (secret: string) => ({ keyId: running.server.keyId, secret });
  const unknown = { credential: { keyId: 'key_none', secret: 's' } };
  const untyped = { body: 'a', contentType: 'text/plain' };

  it.each<[string, () => Call, string, number, string, RegExp]>([
    ['no credential', () => ({ auth: 'none' }), 'GET /quotas', 401, 'credentials', /no credential/],
    [
      'both',
      () => ({ headers: { authorization: 'Basic x' } }),
      'GET /quotas',
      400,
      'credentials',
      /both Auth/,
    ],
    ['an unknown key', () => unknown, 'GET /quotas', 401, 'key', /key_none/],
    [
      'another time',
      () => ({ timestamp: '1000000000' }),
      'GET /quotas',
      401,
      'timestamp',
      /the limit is 300/,
    ],
    ['another secret', () => ({ credential: own('s') }), 'GET /quotas', 401, 'signature', /wrong secret, or/],
    [
      'Basic, another',
      () => ({ credential: own('s'), auth: 'basic' }),
      'GET /quotas',
      401,
      'secret',
      /has 1 char/,
    ],
    ['an unknown path', () => ({}), 'GET /nothing', 404, 'route', /no path/],
    ['an unknown page', () => ({}), 'GET /teams?page=0', 400, 'query', /page must be/],
    ['a body that does not fit', () => ({ body: { name: 1 } }), 'POST /teams', 400, 'body', /name/],
    ['another content type', () => untyped, 'POST /teams', 415, 'body', /application\/json/],
    ['a full quota', () => ({ body: { name: 'a' } }), 'POST /teams', 403, 'quota', /maximum 0 teams/],
  ])('%s', async (_name, call, line, status, check, reason) => {
    const [method = '', target = ''] = line.split(' ');
    const told = await tellOf(method, target, call());
    expect(told.status).toBe(status);
    expect(told.refusal).toMatchObject({ check, reason: expect.stringMatching(reason) });
    expect(told.logged).toMatchObject({ event: 'request', status, ...told.refusal });
  });

  it('of two credentials, with the key of mode B', async () => {
    const basic = basicAuthorization({ keyId: 'key_basic', secret: 's' });
    const told = await tellOf('GET', '/quotas', { headers: { authorization: basic } });
    expect(told.logged).toMatchObject({ status: 400, keyId: running.server.keyId });
  });

  it('nothing for a request that is not refused', async () => {
    const told = await tellOf('GET', '/quotas');
    expect(told).toMatchObject({ status: 200, refusal: undefined });
    expect(told.logged).not.toHaveProperty('check');
  });
});

describe('a disabled key', () => {
  const servers = useServers();

  it('is named', async () => {
    const { keys } = running.server.control;
    const { id, secret } = await keys.issue();
    await keys.disable(id);
    const told = await tellOf('GET', '/quotas', { credential: { keyId: id, secret } });
    expect(told.message).toBe('API key is disabled');
    expect(told.refusal).toEqual({
      check: 'enabled',
      reason: `${id} is disabled; enable it: orgctl local keys enable ${id}`,
    });
    await keys.revoke(id);
    const revoked = await tellOf('GET', '/quotas', { credential: { keyId: id, secret } });
    expect(revoked.refusal).toMatchObject({ check: 'key', reason: expect.stringContaining('revoked') });
  });

  it('is named with the page that enables it, where there is one', async () => {
    const server = await servers.start({ console: true });
    const { keyId, control } = server;
    await control.keys.disable(keyId);
    await new Caller(server).send('GET', '/quotas');
    const verdict = await control.signatures.check({
      ...{ keyId, method: 'GET', target: '/quotas', timestamp: now() },
      signature: '0'.repeat(64),
    });
    const address = new URL(String(server.console)).origin;
    const reason = `${keyId} is disabled; enable it: orgctl local keys enable ${keyId}, or in the console: ${address}/#/keys`;
    expect((await control.journal.get())[0]?.refusal).toEqual({ check: 'enabled', reason });
    expect(verdict.refusals).toContainEqual({ check: 'enabled', reason });
  });
});

describe('a signature', () => {
  it('comes with the canonical string, its line ends visible', async () => {
    const { refusal } = await tellOf('POST', '/teams?page=2&a=b', {
      body: '{"name":\n"ä"}',
      credential: { keyId: running.server.keyId, secret: 's'.repeat(64) },
    });
    expect(refusal?.canonical).toMatch(
      /^POST\\n\/teams\?page=2&a=\*{8}\\n\d+\\napplication\/json\\n\{"name":\\n"ä"\}$/,
    );
  });

  it('comes with the known mistake that reproduces it', async () => {
    const sign = (secret: string, timestamp: string) =>
      hmacSignature(secret, Buffer.from(`GET\n/quotas\n${timestamp}123\n\n`));
    const late = await tellOf('GET', '/quotas?a=b', signedBy(sign));
    expect(late.refusal).toMatchObject({ mistake: 'query-missing+milliseconds' });
    expect(late.logged).toMatchObject({ mistake: 'query-missing+milliseconds' });
  });

  it('over a large body is not searched for mistakes, and of the body only the beginning is told', async () => {
    const credential = { keyId: running.server.keyId, secret: 's'.repeat(64) };
    const { refusal, text } = await tellOf('POST', '/teams', { body: 'x'.repeat(17_000), credential });
    expect(refusal?.reason).toContain('over 16 KiB');
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('what is never told', () => {
  it('is a secret, a password, a signature or credentials', async () => {
    const { keyId, secret } = running.server;
    const other = 'o'.repeat(64);
    const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: 1 };
    const body = { name: 'c', type: 'pg', config };
    const timestamp = now();
    const right = hmacSignature(secret, Buffer.from(`GET\n/quotas?a=b\n${timestamp}\n\n`));
    const calls: [string, string, Call][] = [
      // A wrong signature over a body with a password, and one that is refused for the body itself.
      ['POST', '/connections', { body, credential: { keyId, secret: other } }],
      ['POST', '/connections', { body }],
      ['POST', '/connections', { body, auth: 'basic' }],
      // The secret where it does not belong.
      ['GET', '/quotas', { auth: 'none', headers: { 'x-api-key': secret } }],
      ['GET', `/quotas?secret=${secret}`, { credential: { keyId, secret: other } }],
      ['GET', `/quotas?s=${secret}`, { auth: 'none' }],
      ['POST', '/teams', { body: `{"name":"${secret}"}`, credential: { keyId, secret: other } }],
      ['GET', '/quotas', { auth: 'basic', credential: { keyId: secret, secret: keyId } }],
      // A signature that is right, for another request or at another time.
      ['GET', '/quotas', { ...signedBy(() => right, timestamp) }],
      [
        'GET',
        '/quotas?a=b',
        {
          ...signedBy(() => right, timestamp),
          headers: { ...signedBy(() => right, timestamp).headers, authorization: 'Basic eDp5' },
        },
      ],
    ];
    for (const [method, target, call] of calls) {
      const { text } = await tellOf(method, target, call);
      for (const hidden of [
        secret,
        other,
        'hunter2',
        right,
        basicAuthorization({ keyId, secret }).slice(6),
        'eDp5',
      ]) {
        expect(text, `${method} ${target}`).not.toContain(hidden);
      }
    }
    // Nor is what should have been sent: the signature of the very request that was refused.
    const { text, refusal } = await tellOf('GET', '/quotas', {
      credential: { keyId, secret: other },
      timestamp,
    });
    expect(refusal?.check).toBe('signature');
    expect(text).not.toContain(hmacSignature(secret, Buffer.from(`GET\n/quotas\n${timestamp}\n\n`)));
  });
});
