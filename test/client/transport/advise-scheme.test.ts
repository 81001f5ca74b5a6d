import { expect, it } from 'vitest';
import { adviseScheme } from '../../../src/client/transport/advise-scheme.js';

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
