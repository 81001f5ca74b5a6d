import { expect, it } from 'vitest';
import { connectProxy } from '../client/support/connect-proxy.js';
import { emptyEnvironment, runCli } from '../support/run-cli.js';

const credential = { ORGCTL_KEY_ID: 'key_test', ORGCTL_SECRET: 's'.repeat(64) };

it.each([
  [{}, 1],
  [{ NO_PROXY: 'service.invalid' }, 0],
  [{ no_proxy: 'service.invalid' }, 0],
  [{ NO_PROXY: 'other.invalid' }, 1],
])('HTTPS_PROXY is used, unless NO_PROXY names the host: %j', async (variables, tunnels) => {
  // The name is one that only the proxy could know.
  const proxy = await connectProxy({ refuse: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n') });
  const env = {
    ...emptyEnvironment(),
    ...credential,
    ...variables,
    ORGCTL_BASE_URL: 'https://service.invalid',
    HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`,
  };
  expect(await runCli(['teams', 'list', '--retries', '0'], { env })).toMatchObject({ code: 9, stdout: '' });
  expect(proxy.heads).toHaveLength(tunnels);
});
