import { execFileSync } from 'node:child_process';
import { EnvHttpProxyAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { bypassesProxy } from '../../src/verbs/doctor/network-checks.js';
import { shapeFault } from '../../src/verbs/doctor/setup-checks.js';
import { hostilePeer } from '../support/hostile-peer.js';

const secret = `${'Ab9-_.~+'.repeat(8)}`;
const keyId = 'key_a';

describe('the shape of a credential', () => {
  it.each([
    ['both are good', { keyId, secret }, undefined],
    ['they are swapped', { keyId: secret, secret: keyId }, 'swapped'],
    ['the key ID is none', { keyId: 'abc', secret }, 'the key ID does not begin with key_'],
    ['the secret is a key ID', { keyId, secret: 'key_b' }, 'the secret begins with key_'],
    ['it is in double quotes', { keyId, secret: `"${secret}"` }, 'in quotes'],
    ['it is in single quotes', { keyId, secret: `'${secret}'` }, 'in quotes'],
    ['it has a line break at its end', { keyId, secret: `${secret}\n` }, 'ends with a line break'],
    ['it comes from Windows', { keyId, secret: `${secret}\r` }, 'ends with a line break'],
    ['it has a space at its end', { keyId, secret: `${secret} ` }, 'ends with a space'],
    ['it has a space before it', { keyId, secret: ` ${secret}` }, 'begins with a space'],
    [
      'it was wrapped',
      { keyId, secret: `${secret.slice(0, 30)}\n${secret.slice(30)}` },
      'space or an invisible',
    ],
    ['it has a byte order mark', { keyId, secret: `\u{feff}${secret}` }, 'begins with a space'],
    ['it is too short', { keyId, secret: secret.slice(1) }, '63 characters long instead of 64'],
    ['it is too long', { keyId, secret: `${secret}x` }, '65 characters long instead of 64'],
  ])('when %s', (_when, credential, fault) => {
    const found = shapeFault(credential)?.fault;
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fault);
    expect(found ?? '').not.toContain(secret.slice(1, 9));
  });

  it.each([
    ['quotes', { keyId, secret: `"${secret}"` }],
    ['single quotes', { keyId, secret: `'${secret}'` }],
    ['a space', { keyId, secret: `${secret} ` }],
    ['line breaks', { keyId, secret: `${secret}\r\n\n` }],
    ['swapping', { keyId: secret, secret: keyId }],
  ])('is mended in the shell: %s', (_what, broken) => {
    const { mend = '' } = shapeFault(broken) ?? {};
    const env = { ORGCTL_KEY_ID: broken.keyId, ORGCTL_SECRET: broken.secret };
    const script = `${mend}; printf '%s %s' "$ORGCTL_KEY_ID" "$ORGCTL_SECRET"`;
    expect(execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' })).toBe(
      `${keyId} ${secret}`,
    );
  });
});

describe('NO_PROXY is read as the client reads it', () => {
  const samples: readonly [noProxy: string, origin: string][] = [
    ['', 'https://a.invalid'],
    ['*', 'https://a.invalid'],
    ['*,x', 'https://a.invalid'],
    ['a.invalid', 'https://a.invalid'],
    ['A.INVALID', 'https://a.invalid:8443'],
    ['.invalid', 'https://a.invalid'],
    ['*.invalid', 'https://a.invalid'],
    ['invalid', 'https://a.invalid'],
    ['valid', 'https://a.invalid'],
    ['b.invalid a.invalid', 'https://a.invalid'],
    ['b.invalid,,a.invalid', 'https://a.invalid'],
    ['a.invalid:443', 'https://a.invalid'],
    ['a.invalid:8443', 'https://a.invalid'],
    ['a.invalid:8443', 'https://a.invalid:8443'],
    ['a.invalid:0', 'https://a.invalid'],
    ['sub.a.invalid', 'https://a.invalid'],
    ['[100::1]', 'https://[100::1]'],
    ['100::1', 'https://[100::1]'],
  ];

  it.each(samples)('%j for %s', async (noProxy, origin) => {
    const proxy = await hostilePeer((_request, socket) =>
      socket.end('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'),
    );
    const agent = new EnvHttpProxyAgent({
      httpProxy: '',
      httpsProxy: proxy.origin,
      noProxy,
      connect: { timeout: 50 },
    });
    await expect(agent.request({ origin, path: '/', method: 'GET' })).rejects.toThrow();
    const { hostname, port } = new URL(origin);
    expect(bypassesProxy(noProxy, hostname, Number(port) || 443)).toBe(proxy.requests.length === 0);
    await agent.destroy();
  });
});
