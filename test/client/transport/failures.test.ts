import { describe, expect, it } from 'vitest';
import { ExchangeTimeoutError } from '../../../src/client/exchange/exchange.js';
import { ProxyError } from '../../../src/client/network/proxy.js';
import { adviseScheme, explainFailure } from '../../../src/client/transport/failures.js';

const allowed = { timeout: 1000, option: 'timeout', value: 1000 } as const;
const proxy = {
  uri: 'http://user:hunter2@proxy.test:3128',
  name: 'http://proxy.test:3128',
  variable: 'HTTPS_PROXY',
};

const versions = 'check the port and the TLS versions';

/** An error as Node and undici make them. */
const coded = (code: string, message = '') => Object.assign(new Error(message), { code });

describe('why there was no answer', () => {
  it.each<[string, unknown, object]>([
    ['EPROTO', coded('EPROTO'), { reason: 'the TLS handshake failed (EPROTO)', hint: versions }],
    ['OpenSSL', coded('ERR_SSL_X'), { reason: 'the TLS handshake failed (ERR_SSL_X)', hint: versions }],
    [
      'no TLS',
      coded('ERR_SSL_PACKET_LENGTH_TOO_LONG'),
      { reason: 'it does not speak TLS', hint: 'check the port, and that the service speaks https there' },
    ],
    ['no words', coded('EX'), { reason: 'EX' }],
    ['no words and no code', new Error(''), { reason: 'no connection' }],
    ['an error that says why', coded('EX', 'why'), { reason: 'why' }],
    [
      'a lookup that failed',
      coded('EAI_AGAIN'),
      {
        reason: 'the host name could not be looked up',
        hint: 'check the address',
        next: ['orgctl', 'whoami'],
        lasts: true,
      },
    ],
    [
      'a certificate of an unknown CA',
      coded('INVALID_CA'),
      { reason: 'its certificate is not trusted (INVALID_CA)', next: ['orgctl', 'doctor'], lasts: true },
    ],
    ['no time left', new ExchangeTimeoutError(), { reason: 'no connection within 1s' }],
    [
      'a proxy that fails for a reason of its own',
      new ProxyError(proxy, { cause: new Error('why') }),
      { reason: 'the proxy http://proxy.test:3128 (HTTPS_PROXY) cannot be used: why' },
    ],
  ])('is explained: %s', (_what, cause, explanation) => {
    expect(explainFailure(cause, false, allowed)).toMatchObject(explanation);
  });

  it.each(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])(
    'is the end of the connection, before or after the request: %s',
    (code) => {
      const closed = (delivered: boolean) => explainFailure(coded(code), delivered, allowed);
      expect([closed(false), closed(true)]).toEqual([
        { reason: 'the connection was closed before the request could be sent' },
        { reason: 'the connection was closed before the response was complete' },
      ]);
    },
  );
});

const closed = 'UND_ERR_SOCKET';
const noTls = 'ERR_SSL_WRONG_VERSION_NUMBER';
const http = { hint: 'if the service speaks plain HTTP there, its base URL is http://127.0.0.1:8443' };
const https = { hint: 'if the service speaks HTTPS there, its base URL is https://[::1]:8443' };

it.each([
  ['https://127.0.0.1:8443', noTls, http],
  ['https://127.0.0.1:8443', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', http],
  ['https://127.0.0.1:8443', closed, undefined],
  ['https://api.example.com', noTls, undefined],
  ['http://[::1]:8443', closed, https],
  ['http://[::1]:8443', 'ECONNREFUSED', undefined],
])('suggests plain HTTP for loopback only: %s after %s', (origin, code, advice) => {
  expect(adviseScheme(Object.assign(new Error(), { code }), origin)).toEqual(advice);
});
