import { describe, expect, it } from 'vitest';
import { authorize, rawExchange, writeHead } from './support/raw-exchange.js';
import { useServers } from './support/start.js';

const servers = useServers();

describe('the names of headers on the wire', () => {
  it('are as the reference writes them, whatever is answered', async () => {
    const config = { padding: 'x'.repeat(500_000) };
    const connections = [1, 2].map((name) => ({ name: String(name), type: 'x', config }));
    const server = await servers.start({
      seed: { organizations: [{ name: 'a', connections }] },
      faults: ['GET /teams=503:5s'],
      rateLimit: { requests: 5, window: 60_000 },
    });
    const authorization = authorize(server);
    const namesIn = async (line: string, ...lines: string[]) => {
      const request = writeHead(line, 'Connection: close', ...lines);
      const [head = ''] = (await rawExchange(server, request)).split('\r\n\r\n', 1);
      return head
        .split('\r\n')
        .slice(1)
        .map((header) => header.replace(/:.*/s, ''));
    };
    const quota = ['X-Quota-Limit', 'X-Quota-Used', 'X-Quota-Remaining'];
    const usual = ['Content-Type', 'Date', 'Content-Length', 'Connection'];
    const sorted = (...names: string[]) => expect.arrayContaining([...usual, ...names]);
    expect(await namesIn('GET /api-keys', authorization)).toEqual(sorted(...quota));
    expect(await namesIn('HEAD /api-keys', authorization)).toEqual(sorted(...quota));
    expect(await namesIn('GET /teams', authorization)).toEqual(sorted('Retry-After'));
    expect(await namesIn('GET /api-keys')).toEqual(sorted());
    const streamed = await namesIn('GET /connections', authorization);
    expect(streamed).toEqual(expect.arrayContaining(['Content-Type', 'Transfer-Encoding', ...quota]));
    for (let request = 0; request < 2; request += 1) await namesIn('GET /quotas', authorization);
    const limited = await namesIn('GET /api-keys', authorization);
    expect(limited).toEqual(sorted('Retry-After', ...quota));
    const refused = [...(await namesIn('FETCH /')), ...(await namesIn('GET /', 'Host: b'))];
    const all = [...streamed, ...limited, ...refused];
    expect(all.filter((name) => !/^[A-Z]/.test(name) || /-[a-z]/.test(name))).toEqual([]);
  });
});
