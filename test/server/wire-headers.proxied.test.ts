import { expect, it } from 'vitest';
import { authorize, rawExchange, writeHead } from './support/raw-exchange.js';
import { useServers } from './support/start.js';

const servers = useServers();

it('the names of headers are on the wire as the reference writes them, whatever is answered', async () => {
  const server = await servers.start({ faults: ['GET /teams=503:5s'] });
  const credential = authorize(server);
  const namesIn = async (line: string, ...lines: string[]) => {
    const received = await rawExchange(server, writeHead(line, 'Connection: close', ...lines));
    const [head = ''] = received.split('\r\n\r\n', 1);
    return head
      .split('\r\n')
      .slice(1)
      .map((header) => header.replace(/:.*/s, ''));
  };
  const quota = ['X-Quota-Limit', 'X-Quota-Used', 'X-Quota-Remaining'];
  const list = await namesIn('GET /connections', credential);
  expect(list).toEqual(expect.arrayContaining(['Content-Type', 'Content-Length', ...quota]));
  const whole = await namesIn('HEAD /api-keys', credential);
  expect(whole).toEqual(expect.arrayContaining(['Date', 'Content-Length', 'Connection', ...quota]));
  const fault = await namesIn('GET /teams', credential);
  expect(fault).toContain('Retry-After');
  const refused = [
    await namesIn('GET /api-keys'),
    await namesIn('FETCH /'),
    await namesIn('GET /', 'Host: b'),
  ];
  const all = [list, whole, fault, ...refused].flat();
  expect(all.filter((name) => !/^[A-Z]/.test(name) || /-[a-z]/.test(name))).toEqual([]);
});
