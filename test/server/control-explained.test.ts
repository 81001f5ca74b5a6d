import { describe, expect, it } from 'vitest';
import {
  journalDetailSchema,
  type SignatureCheckAnswer,
  signatureCheckAnswerSchema,
} from '../../src/api/control/control-answers.js';
import type { RunningServer } from '../../src/server/index.js';
import { canonicalString, hmacSignature, type SignableRequest } from '../../src/signing/index.js';
import { Caller } from './support/caller.js';
import { controller } from './support/controller.js';
import { useServer, useServers } from './support/start.js';

const shared = useServer();
const servers = useServers();

/** The newest entry of the journal, as it is answered by its ID. */
async function newest(server: RunningServer) {
  const [entry] = await server.control.journal.get({ limit: 1 });
  const answer = await controller(server)('GET', `/journal/${entry?.id}`);
  expect(answer.status).toBe(200);
  return journalDetailSchema.parse(answer.json);
}

function signatureBy({ secret }: RunningServer, request: SignableRequest): string {
  return hmacSignature(secret, canonicalString(request));
}

const now = () => String(Math.floor(Date.now() / 1000));

describe('an entry of the journal', () => {
  it('masks in the curl command what is masked everywhere', async () => {
    const { server } = shared;
    const credential = { keyId: server.keyId, secret: 'x'.repeat(64) };
    const body = '{"name": "app", "config": {"password": "Tr0ub4dor"}}';
    await new Caller(server).send('POST', '/connections', { credential, body });
    const { curl } = await newest(server);
    expect(curl).toContain(`--data-raw '{"name": "app", "config": {"password": "********"}}'`);
    expect(curl).toContain("'Content-Type: application/json'");
    await new Caller(server).send('POST', '/connections', { credential, body: 'password=Tr0ub4dor' });
    expect((await newest(server)).curl).toContain("--data-binary '@BODY'");
    await new Caller(server).send('GET', '/quotas', { auth: 'basic', credential });
    const basic = (await newest(server)).curl;
    expect(basic).toMatch(/ 3<<'END'\nAuthorization: Basic CREDENTIALS\nEND\n$/);
    expect(basic).not.toContain('x'.repeat(64));
  });

  it('keeps a timestamp in the curl command, unless that was the fault', async () => {
    const { server } = shared;
    const credential = { keyId: server.keyId, secret: 'x'.repeat(64) };
    const timely = String(Number(now()) - 60);
    for (const [timestamp, isKept] of [
      [timely, true],
      ['1700000000', false],
    ] as const) {
      await new Caller(server).send('GET', '/quotas', { credential, timestamp });
      const { curl } = await newest(server);
      expect(curl).toContain("'X-API-Timestamp: ");
      expect(curl?.includes(`'X-API-Timestamp: ${timestamp}'`)).toBe(isKept);
    }
  });
});

describe('the signature check', () => {
  const target = '/teams?page=1';

  /** What is said of a signature over a request, sent as the page sends it. */
  async function checked(
    server: RunningServer,
    signed: Record<string, unknown>,
  ): Promise<SignatureCheckAnswer> {
    const defaults = { keyId: server.keyId, method: 'GET', target, timestamp: now() };
    const answer = await controller(server)('POST', '/signatures/check', { ...defaults, ...signed });
    expect(answer.text).not.toContain(server.secret);
    expect(answer.status).toBe(200);
    return signatureCheckAnswerSchema.parse(answer.json);
  }

  const signatureOf = (server: RunningServer, changes: Partial<SignableRequest>) =>
    signatureBy(server, {
      ...{ method: 'GET', target, timestamp: now(), contentType: '', body: Buffer.alloc(0) },
      ...changes,
    });

  it('names the mistake as the log does, and never the signature that is expected', async () => {
    const { server } = shared;
    const timestamp = now();
    const signature = signatureOf(server, { target: '/teams', timestamp });
    const verdict = await checked(server, { timestamp, signature });
    expect(verdict).toMatchObject({
      matches: false,
      refusals: [{ check: 'signature', mistake: 'query-missing', difference: { part: 'target' } }],
    });
    expect(JSON.stringify(verdict)).not.toContain(signatureOf(server, { timestamp }));
    for (const part of [
      `'${server.url}${target}'`,
      `'X-API-Key: ${server.keyId}'`,
      `Timestamp: ${timestamp}'`,
      ': SIGNATURE',
    ])
      expect(verdict.curl).toContain(part);
    const body = '{"name":"größe"}';
    const request = { method: 'POST', timestamp, contentType: 'application/json', body: Buffer.from(body) };
    const accepted = await checked(server, { ...request, body, signature: signatureOf(server, request) });
    const canonical = `POST\\n${target}\\n${timestamp}\\napplication/json\\n${body}`;
    expect(accepted).toMatchObject({ matches: true, refusals: [], canonical });
  });

  it('is of what is signed, where that is without the base path', async () => {
    const dialect = { dialect: 1, basePath: '/v2', signedBasePath: false } as const;
    const server = await servers.start({ dialect });
    const timestamp = now();
    const signature = signatureOf(server, { timestamp });
    const verdict = await checked(server, { target: `/v2${target}`, timestamp, signature });
    expect(verdict).toMatchObject({
      matches: true,
      refusals: [],
      canonical: `GET\\n${target}\\n${timestamp}\\n\\n`,
    });
  });

  it('tells a signature that is right from one that is too old, and an old one from a wrong one', async () => {
    const { server } = shared;
    const timestamp = '1700000000';
    const right = await checked(server, { timestamp, signature: signatureOf(server, { timestamp }) });
    expect(right).toMatchObject({ matches: true, refusals: [{ check: 'timestamp' }] });
    const wrong = await checked(server, { timestamp, signature: 'f'.repeat(64) });
    expect(wrong.refusals.map(({ check }) => check)).toEqual(['timestamp', 'signature']);
    const none = await checked(server, { timestamp: 'soon', signature: '' });
    expect(none.refusals).toMatchObject([{ check: 'timestamp', reason: expect.stringContaining('decimal') }]);
  });
});
