import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { addToDefaultContext, trustingContext } from '../../src/client/trusted-roots.js';
import { ConfigError } from '../../src/errors.js';
import { httpAnswer, scriptedPeer } from '../support/hostile-peer.js';
import { type Authority, makeAuthority } from './support/certificates.js';

const root = join(import.meta.dirname, '..', '..');
const directory = mkdtempSync(join(tmpdir(), 'orgctl-roots-'));
let authority: Authority;
let stranger: Authority;

beforeAll(async () => {
  authority = await makeAuthority('Test CA');
  stranger = await makeAuthority('Another CA');
  writeFileSync(join(directory, 'ca.pem'), authority.cert);
  writeFileSync(join(directory, 'stranger.pem'), stranger.cert);
});

async function startPeer() {
  return scriptedPeer([httpAnswer(200, {})], { tls: await authority.issue(['127.0.0.1']) });
}

/** Whether a TLS handshake with the peer is trusted. */
function trusts(secureContext: SecureContext | undefined, origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tlsConnect({ host: '127.0.0.1', port: Number(new URL(origin).port), secureContext });
    socket.once('secureConnect', () => socket.end() && resolve(true));
    socket.once('error', () => resolve(false));
  });
}

// Node does not document the method that this stands on: when it goes, commands take longer to start and nothing else says so.
it('adds to the roots of this Node without parsing them again', () => {
  expect(addToDefaultContext([authority.cert])).toBeDefined();
});

it('trusts what was added, in that context alone', async () => {
  const peer = await startPeer();
  expect(await trusts(addToDefaultContext([stranger.cert, authority.cert]), peer.origin)).toBe(true);
  expect(await trusts(addToDefaultContext([stranger.cert]), peer.origin)).toBe(false);
  expect(await trusts(createSecureContext(), peer.origin)).toBe(false);
});

it('trusts what SSL_CERT_FILE names with the word system, beside the store of the system', async () => {
  const peer = await startPeer();
  const named = (name: string) => trustingContext('system', { SSL_CERT_FILE: join(directory, name) });
  expect(await trusts(named('ca.pem'), peer.origin)).toBe(true);
  expect(await trusts(named('stranger.pem'), peer.origin)).toBe(false);
  expect(() => named('gone.pem')).toThrow(ConfigError);
  expect(() => trustingContext('./system', {})).toThrow('./system cannot be read');
});

it('keeps what Node trusts by itself, here by --use-openssl-ca', async () => {
  const peer = await startPeer();
  const source = pathToFileURL(join(root, 'src', 'client', 'trusted-roots.ts')).href;
  const script = `
    import { connect } from 'node:tls';
    import { trustingContext } from ${JSON.stringify(source)};
    const secureContext = trustingContext(${JSON.stringify(join(directory, 'stranger.pem'))}, {});
    const socket = connect({ host: '127.0.0.1', port: ${new URL(peer.origin).port}, secureContext });
    socket.once('secureConnect', () => socket.end() && console.log('trusted'));
    socket.once('error', (error) => console.log(error.code));`;
  const handshake = async (name: string) => {
    const args = ['--use-openssl-ca', '--import', 'tsx', '--input-type=module', '-e', script];
    const env = { ...process.env, SSL_CERT_FILE: join(directory, name) };
    return (await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout.trim();
  };
  expect(await handshake('ca.pem')).toBe('trusted');
  expect(await handshake('stranger.pem')).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
});
