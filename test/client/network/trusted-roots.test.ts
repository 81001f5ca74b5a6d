import { mkdtempSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type SecureContext, connect as tlsConnect } from 'node:tls';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { readTrust } from '../../../src/client/network/trusted-roots.js';
import { httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { type Authority, makeAuthority } from '../support/certificates.js';

const directory = mkdtempSync(join(tmpdir(), 'orgctl-roots-'));
const path = (name: string) => join(directory, name);
let authority: Authority;
let stranger: Authority;

beforeAll(async () => {
  authority = await makeAuthority('Test CA');
  stranger = await makeAuthority('Another CA');
  writeFileSync(path('ca.pem'), authority.cert);
  writeFileSync(path('stranger.pem'), stranger.cert);
});

async function startPeer() {
  return scriptedPeer([httpAnswer(200, {})], { tls: await authority.issue(['127.0.0.1']) });
}

/** Whether a TLS handshake with the peer is trusted. */
function trusts(secureContext: SecureContext, origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tlsConnect({ host: '127.0.0.1', port: Number(new URL(origin).port), secureContext });
    socket.once('secureConnect', () => socket.end() && resolve(true));
    socket.once('error', () => resolve(false));
  });
}

// Node does not document the method that this stands on: without it, commands only take longer to start.
it('adds to the roots of this Node without parsing them again', () => {
  const { createSecureContext } = tls;
  onTestFinished(() => {
    Object.assign(tls, { createSecureContext });
    syncBuiltinESMExports();
  });
  const options: unknown[] = [];
  Object.assign(tls, {
    createSecureContext: (given: object) => {
      options.push(given);
      return createSecureContext(given);
    },
  });
  readTrust(path('ca.pem'), {})();
  expect(options).toEqual([{ minVersion: 'TLSv1.2' }]);
});

it('trusts every certificate of files that were joined without a line feed between them', async () => {
  const peer = await startPeer();
  for (const certificates of [
    [stranger.cert, authority.cert],
    [authority.cert, stranger.cert],
  ]) {
    writeFileSync(path('joined.pem'), certificates.map((certificate) => certificate.trim()).join(''));
    expect(await trusts(readTrust(path('joined.pem'), {})(), peer.origin)).toBe(true);
  }
});

it('refuses an own file with a damaged certificate, but not a bundle that the environment names', async () => {
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  writeFileSync(path('bundle.pem'), `${authority.cert}${broken}`);
  const peer = await startPeer();
  for (const context of [
    readTrust(path('stranger.pem'), { NODE_EXTRA_CA_CERTS: path('bundle.pem') })(),
    readTrust('system', { SSL_CERT_FILE: path('bundle.pem') })(),
  ])
    expect(await trusts(context, peer.origin)).toBe(true);
  expect(() => readTrust(path('bundle.pem'), {})).toThrow('does not contain PEM certificates');
});

it.each([
  ['gone.pem', {}, 'the CA file'],
  ['ca.pem', { NODE_EXTRA_CA_CERTS: path('gone.pem') }, 'NODE_EXTRA_CA_CERTS'],
  ['system', { SSL_CERT_FILE: path('gone.pem') }, 'SSL_CERT_FILE'],
])('says who named a file that cannot be read: %s with %j', (name, env, named) => {
  const details = expect.objectContaining({ hint: `check ${named}` });
  expect(() => readTrust(name === 'system' ? name : path(name), env)).toThrow(
    expect.objectContaining({ details }),
  );
});

it('trusts what SSL_CERT_FILE names with the word system, beside the store of the system', async () => {
  const peer = await startPeer();
  const named = (name: string) => readTrust('system', { SSL_CERT_FILE: path(name) })();
  expect(await trusts(named('ca.pem'), peer.origin)).toBe(true);
  expect(await trusts(named('stranger.pem'), peer.origin)).toBe(false);
  expect(() => readTrust('./system', {})).toThrow('./system cannot be read');
});
