import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { journalDetailSchema } from '../../src/api/control/control-answers.js';
import type { RunningServer } from '../../src/server/index.js';
import { at, type Call, Caller, signedGet } from './support/caller.js';
import { controller } from './support/controller.js';
import { writeHead } from './support/raw-exchange.js';
import { useSockets } from './support/socket-client.js';
import { useServers } from './support/start.js';

const servers = useServers();
const sockets = useSockets();

/** The newest entry's ID. */
async function newest({ control }: RunningServer): Promise<number> {
  return (await control.journal.get({ limit: 1 }))[0]?.id ?? 0;
}

/** @throws Error with the message of a refusal */
async function sendBy(server: RunningServer, request: object) {
  const answer = await controller(server)('POST', '/requests', request);
  if (answer.status !== 200) throw new Error(String(at(answer.json, 'message')));
  return journalDetailSchema.parse(answer.json);
}

function team(server: RunningServer, name: string, method = 'POST', path = '/teams') {
  return new Caller(server).send(method, path, { body: { name } });
}

const get = (server: RunningServer, call: Call = {}, path = '/teams') =>
  new Caller(server).send('GET', path, call);
const unsignedQuery = (server: RunningServer): Call => ({
  auth: 'none',
  headers: signedGet(server, '/teams'),
});
const unknownKey: Call = { credential: { keyId: 'key_none', secret: '0'.repeat(64) } };

const enable = { step: 'enable-key' };
const raise = { step: 'raise-limit', kind: 'teams', limit: 1 };

/** Makes a refused request; what `orgctl` then says how to correct. */
const refusals: readonly (readonly [string, (server: RunningServer) => Promise<unknown>, object, number])[] =
  [
    ['an unsigned query', (it) => get(it, unsignedQuery(it), '/teams?limit=5'), { step: 'sign' }, 200],
    ['an unknown key', (it) => get(it, unknownKey), { step: 'sign' }, 200],
    ['a disabled key', (it) => it.control.keys.disable(it.keyId).then(() => get(it)), enable, 200],
    ['a full quota', (it) => it.control.quotas.set({ teams: 0 }).then(() => team(it, 'one')), raise, 201],
    ['a misspelled path', (it) => get(it, {}, '/teamz?limit=5'), { step: 'edit', path: '/teams' }, 200],
  ];

describe('a request that the server signs and sends to itself', () => {
  it('is answered and journaled as any other, over TLS, and shows no secret', async () => {
    const server = await servers.start({ http: false });
    const answer = await controller(server)('POST', '/requests', { method: 'GET', target: '/quotas?page=1' });
    expect(answer.json).toMatchObject({ id: await newest(server), status: 200, target: '/quotas?page=1' });
    expect(answer.text).not.toContain(server.secret);
  });

  it.each(refusals)('replays %s with its remedy', async (_name, refuse, remedy, status) => {
    const server = await servers.start();
    await refuse(server);
    const replay = await newest(server);
    expect((await server.control.journal.find(replay)).refusal?.remedy).toEqual(remedy);
    const sent = await sendBy(server, { replay, fix: true });
    expect(sent).toMatchObject({ status, keyId: server.keyId });
    expect(sent.refusal).toBeUndefined();
  });

  it('replays the bytes that were sent, also those that are shown masked, and what was edited', async () => {
    const server = await servers.start();
    const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'hidden', ssl: true };
    const body = { name: 'app', type: 'postgresql', config };
    const created = await new Caller(server).send('POST', '/connections', { body });
    const [before] = await server.control.journal.get({ limit: 1 });
    await new Caller(server).send('DELETE', `/connections/${at(created.json, 'id')}`);
    const sent = await sendBy(server, { replay: before?.id });
    expect(sent).toMatchObject({ status: 201, bodyBytes: JSON.stringify(body).length });
    expect(JSON.stringify(sent)).not.toContain('hidden');
    const edits = { method: 'GET', target: '/connections', body: '' } as const;
    const edited = await sendBy(server, { replay: sent.id, ...edits });
    expect(edited).toMatchObject({ status: 200, bodyBytes: 0 });
  });

  it('never lowers a limit to raise it', async () => {
    const server = await servers.start();
    const { quotas } = server.control;
    await quotas.set({ teams: 0 });
    await team(server, 'one');
    await quotas.set({ teams: 9 });
    await sendBy(server, { replay: await newest(server), fix: true });
    expect((await quotas.get())['teams']?.limit).toBe(9);
  });

  it('is signed by a key of the chosen organization', async () => {
    const server = await servers.start({ seed: { organizations: [{ name: 'One' }, { name: 'Two' }] } });
    const { control } = server;
    const organization = (await control.organizations.list())[1]?.id;
    const send = (changes: object) => sendBy(server, { target: '/quotas', ...changes });
    const { id } = await control.keys.issue({ organization });
    const keys = await control.keys.list(organization);
    expect(await send({ organization })).toMatchObject({ status: 200, keyId: keys[0]?.id, organization });
    for (const key of keys) await control.keys.disable(key.id);
    await expect(send({ organization })).rejects.toThrow('no enabled key');
    expect(await send({ keyId: id })).toMatchObject({ status: 403 });
  });

  it('is replayed in the organization of its key when that is gone', async () => {
    const server = await servers.start({ seed: { organizations: [{ name: 'One' }, { name: 'Two' }] } });
    const { control, url } = server;
    const organization = (await control.organizations.list())[1]?.id;
    const { id, secret } = await control.keys.issue({ organization });
    await control.keys.issue({ organization });
    await new Caller({ url, keyId: id, secret }).send('GET', '/quotas');
    await control.keys.revoke(id);
    const sent = await sendBy(server, { replay: await newest(server) });
    expect(sent).toMatchObject({ status: 200, organization });
  });

  it('needs a body to replay one that was refused before it was read, however it was sent', async () => {
    const server = await servers.start({ http: true });
    for (const length of ['Content-Length: 14', 'Transfer-Encoding: chunked']) {
      await server.control.faults.set(['POST /teams=503x1']);
      await sockets.open(server).send(writeHead('POST /teams', length)).answer();
      const replay = await newest(server);
      await expect(sendBy(server, { replay })).rejects.toThrow('does not have the body of this request');
      expect(await sendBy(server, { replay, body: '{"name":"one"}' })).toMatchObject({ status: 201 });
    }
  });

  it('shows what was cut, and what a fault spoiled', async () => {
    const server = await servers.start();
    await server.control.faults.set(['GET *=dropx1', 'GET *=drop-answerx1', 'GET *=truncatex1']);
    const statuses = [];
    for (let time = 0; time < 4; time += 1)
      statuses.push((await sendBy(server, { target: '/quotas' })).status);
    expect(statuses).toEqual([null, 200, 200, 200]);
  });

  it('signs a content type as it is sent, without white space around it', async () => {
    const server = await servers.start();
    const request = { method: 'POST', target: '/teams', body: '{"name":"one"}' } as const;
    for (const contentType of [' application/json ', ' ']) {
      const { status } = await sendBy(server, { ...request, contentType });
      expect(status).toBe(contentType === ' ' ? 415 : 201);
    }
  });

  it('tells of a target that is too long to be read', async () => {
    const server = await servers.start({ http: true });
    const sent = sendBy(server, { target: `/${'a'.repeat(16 * 1024)}` });
    await expect(sent).rejects.toThrow('The server refused to read the request, with status 431');
  });

  it('never leaves the server, whatever its target is', async () => {
    let asked = 0;
    const stranger = createServer((_request, response) => {
      asked += 1;
      response.end();
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port }: AddressInfo = Object(stranger.address());
    const server = await servers.start({ http: true });
    const send = (target: string) => controller(server)('POST', '/requests', { method: 'GET', target });
    const host = `127.0.0.1:${port}`;
    const split = `/ HTTP/1.1\r\nHost: ${host}\r\n`;
    const targets = [`http://${host}/`, `//${host}/`, `@${host}/`, `/\\${host}`, split];
    const statuses = [];
    for (const target of targets) statuses.push((await send(target)).status);
    expect(statuses).toEqual([400, 200, 400, 200, 400]);
    for (const target of ['/_control/status', '//_control/status', '/%5fcontrol/status', '/healthz'])
      expect((await send(target)).status).toBe(400);
    expect(asked).toBe(0);
    await new Promise((resolve) => stranger.close(resolve));
  });
});
