import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();

/** The stream of a server's journal, and a way to read it up to a text. */
async function opened(server: RunningServer, query = '', lastEventId?: string) {
  const request = get(`${server.url}/_control/journal/stream${query}`, {
    headers: {
      authorization: `Bearer ${server.controlToken}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const [answer]: IncomingMessage[] = await once(request, 'response');
  if (answer === undefined) throw new Error('no answer');
  let text = '';
  answer.setEncoding('utf8');
  const until = async (wanted: RegExp): Promise<string> => {
    for (;;) {
      if (wanted.test(text)) return text;
      const piece: unknown = answer.read();
      if (typeof piece === 'string') text += piece;
      else await Promise.race([once(answer, 'readable'), once(answer, 'end')]);
    }
  };
  return { answer, until, leave: () => request.destroy() };
}

describe('the stream of the journal', () => {
  it('has what was asked for, as it is answered, and goes on where a reader was', async () => {
    const server = await servers.start();
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    const stream = await opened(server, '?method=POST');
    expect(stream.answer.headers['content-type']).toBe('text/event-stream');
    await caller.send('GET', '/quotas');
    await caller.send('POST', '/teams', { body: { name: 'a', password: 'hidden' } });
    const text = await stream.until(/event: request/);
    expect(text).not.toContain('"GET"');
    expect(text).not.toContain('hidden');
    const [, id = ''] = /id: (\w+-3)\nevent: request/.exec(text) ?? [];
    stream.leave();
    await caller.send('DELETE', '/nothing');
    const again = await opened(server, '', id);
    const rest = await again.until(/event: request/);
    expect(rest).toMatch(/^retry: 500\nid: \w+-3\n\n/);
    expect(rest).toContain('"DELETE"');
    expect(rest).not.toContain('"POST"');
    again.leave();
  });

  it.each(['abcdef-700', 'abcdef-1'])('begins anew for a reader of another start: %s', async (lastId) => {
    const server = await servers.start();
    const caller = new Caller(server);
    await caller.send('GET', '/quotas');
    await server.control.journal.clear();
    await caller.send('GET', '/teams');
    const stream = await opened(server, '', lastId);
    const text = await stream.until(/event: request/);
    expect(text).toMatch(/event: missed\ndata: \{"count":1\}/);
    expect(text).toContain('"/teams"');
    stream.leave();
  });

  it('ends with the server, after all that was answered', async () => {
    const server = await servers.start();
    const caller = new Caller(server);
    const stream = await opened(server, '?limit=0');
    // Or the server would wait for another request on it.
    expect(stream.answer.headers).toMatchObject({ connection: 'close' });
    await caller.send('GET', '/quotas');
    await server.close();
    expect(await stream.until(/event: end/)).toContain('"/quotas"');
  });
});
