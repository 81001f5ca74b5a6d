import { mkdtempSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import {
  addToDefaultContext,
  contextOfAllRoots,
  readTrust,
  systemPems,
} from '../../../src/client/network/trusted-roots.js';
import { ConfigError } from '../../../src/errors/errors.js';
import { httpAnswer, scriptedPeer } from '../../support/hostile-peer.js';
import { type Authority, makeAuthority } from '../support/certificates.js';

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

function trustingContext(...trust: Parameters<typeof readTrust>): SecureContext {
  return readTrust(...trust)();
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

// The second one is for a Node without that method.
it.each([[addToDefaultContext], [contextOfAllRoots]])(
  'trusts what was added, in that context alone: %o',
  async (adding) => {
    const peer = await startPeer();
    expect(await trusts(adding([stranger.cert, authority.cert]), peer.origin)).toBe(true);
    expect(await trusts(adding([stranger.cert]), peer.origin)).toBe(false);
    expect(await trusts(createSecureContext(), peer.origin)).toBe(false);
  },
);

it('trusts every certificate of files that were joined without a line feed between them', async () => {
  const joined = join(directory, 'joined.pem');
  for (const certificates of [
    [stranger.cert, authority.cert],
    [authority.cert, stranger.cert],
  ]) {
    writeFileSync(joined, certificates.map((certificate) => certificate.trim()).join(''));
    const peer = await startPeer();
    expect(await trusts(trustingContext(joined, {}), peer.origin)).toBe(true);
  }
});

it('takes the first file of CAs that the system has, and then what SSL_CERT_FILE names', () => {
  const [first, second] = ['ca.pem', 'stranger.pem'].map((name) => join(directory, name));
  const paths = [join(directory, 'none.pem'), String(first), String(second)];
  expect(systemPems({}, paths)).toEqual([authority.cert]);
  expect(systemPems({ SSL_CERT_FILE: second }, paths)).toEqual([authority.cert, stranger.cert]);
});

/** Has this Node be on another system for this test, and list certificates of each kind, as Node does from 22.15 on. */
function pretend(system: NodeJS.Platform, lists: Readonly<Record<string, string[]>> | undefined): void {
  const { getCACertificates } = { getCACertificates: undefined, ...tls };
  const list = lists === undefined ? undefined : (kind: string) => lists[kind];
  const platform = vi.spyOn(os, 'platform').mockReturnValue(system);
  Object.assign(tls, { getCACertificates: list });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(tls, { getCACertificates });
    platform.mockRestore();
    syncBuiltinESMExports();
  });
}

it.each<[NodeJS.Platform, string, string, string]>([
  ['linux', 'nothing', 'a file', 'file'],
  ['darwin', 'nothing', 'a file', 'file'],
  ['linux', 'a list', 'a file', 'file'],
  ['linux', 'a list', 'no file', 'list'],
  ['darwin', 'a list', 'a file', 'list'],
  ['win32', 'a list', 'no file', 'list'],
])('takes the store of %s, where Node knows %s and there is %s', (system, known, file, taken) => {
  pretend(system, known === 'a list' ? { system: ['listed'] } : undefined);
  const path = join(directory, file === 'a file' ? 'ca.pem' : 'none.pem');
  expect(systemPems({}, [path])).toEqual([taken === 'file' ? authority.cert : 'listed']);
});

it('keeps the roots that Node lists as its own, also where they have to be parsed again', async () => {
  const peer = await startPeer();
  pretend('linux', { default: [authority.cert] });
  expect(await trusts(contextOfAllRoots([stranger.cert]), peer.origin)).toBe(true);
});

it.each([[undefined], [null], [{}], [{ addCACert: 'x' }]])(
  'parses the roots again on a Node that cannot add to them: %j',
  (context) => {
    const { createSecureContext } = tls;
    onTestFinished(() => void Object.assign(tls, { createSecureContext }));
    const asked: unknown[] = [];
    const create = (options: { readonly ca?: unknown }) => {
      asked.push(options.ca);
      return { context };
    };
    Object.assign(tls, { createSecureContext: create });
    trustingContext(join(directory, 'ca.pem'), {});
    expect(asked).toEqual([undefined, expect.arrayContaining([authority.cert])]);
  },
);

it('does not check the bundles that the environment names, which are large and not its own', async () => {
  const bundle = join(directory, 'bundle.pem');
  writeFileSync(
    bundle,
    `${authority.cert.trim()}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  );
  const peer = await startPeer();
  const other = join(directory, 'stranger.pem');
  const contexts = [
    trustingContext(other, { NODE_EXTRA_CA_CERTS: bundle }),
    trustingContext('system', { SSL_CERT_FILE: bundle }),
  ];
  for (const context of contexts) expect(await trusts(context, peer.origin)).toBe(true);
  expect(() => trustingContext(bundle, {})).toThrow('does not contain PEM certificates');
});

it('says where it looked when the system has none', () => {
  pretend('linux', undefined);
  const paths = [join(directory, 'none.pem'), '/nowhere/ca.pem'];
  expect(() => systemPems({}, paths)).toThrow(
    expect.objectContaining({
      constructor: ConfigError,
      message: "the operating system's CA store was not found",
      details: {
        hint: `use Node.js 22.15 or later, which looks in more places, or name a CA file, also with SSL_CERT_FILE (looked for: ${paths.join(', ')})`,
      },
    }),
  );
  const named = { SSL_CERT_FILE: join(directory, 'ca.pem') };
  expect(systemPems(named, paths)).toEqual([authority.cert]);
});

it.each([
  ['gone.pem', {}, 'the CA file'],
  ['ca.pem', { NODE_EXTRA_CA_CERTS: join(directory, 'gone.pem') }, 'NODE_EXTRA_CA_CERTS'],
  ['system', { SSL_CERT_FILE: join(directory, 'gone.pem') }, 'SSL_CERT_FILE'],
])('says who named a file that cannot be read: %s with %j', (name, env, named) => {
  const details = expect.objectContaining({ hint: `check ${named}` });
  const caFile = name === 'system' ? name : join(directory, name);
  expect(() => trustingContext(caFile, env)).toThrow(expect.objectContaining({ details }));
});

it('trusts what SSL_CERT_FILE names with the word system, beside the store of the system', async () => {
  const peer = await startPeer();
  const named = (name: string) => trustingContext('system', { SSL_CERT_FILE: join(directory, name) });
  expect(await trusts(named('ca.pem'), peer.origin)).toBe(true);
  expect(await trusts(named('stranger.pem'), peer.origin)).toBe(false);
  expect(() => trustingContext('./system', {})).toThrow('./system cannot be read');
});
