import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { serverCertificate } from '../../src/server/certificate/certificate.js';
import {
  issueConstrainedAuthority,
  issueServerCertificate,
  widenedAuthority,
} from '../../src/server/certificate/issue.js';
import { permitsAll, permittedBy } from '../../src/server/certificate/name-constraints.js';
import {
  basicConstraints,
  certificateExtension,
  commonName,
  keyUsage,
  toAddressBytes,
  writeCertificate,
} from '../../src/server/certificate/write-certificate.js';
import type { RunningServer } from '../../src/server/index.js';
import { isMissing } from '../support/programs.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();
const now = new Date();
const day = 24 * 60 * 60 * 1000;
const local = ['localhost', '127.0.0.1', '::1'];

async function write(directory: string, name: string, identity: { cert: string; key: string }) {
  await writeFile(join(directory, `${name}.pem`), identity.cert, { mode: 0o600 });
  await writeFile(join(directory, `${name}-key.pem`), identity.key, { mode: 0o600 });
}

/** What a start on a directory serves: the certificates of server and authority, and what it warns of. */
async function keep(directory: string, hosts: readonly string[] = local) {
  const notices: string[] = [];
  const warn = (message: string) => notices.push(message);
  const { cert, caFile } = await serverCertificate(directory, { hosts, now, warn });
  const [server, ca] = [new X509Certificate(cert), new X509Certificate(await readFile(caFile))];
  expect(server.checkIssued(ca) && server.verify(ca.publicKey)).toBe(true);
  return { server, ca: ca.fingerprint256, notices };
}

/** An authority whose name constraints have an indefinite length: OpenSSL reads them, but they are not DER. */
function withoutDer(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = Buffer.from('3080a0063004820261620000', 'hex');
  const name = commonName('a');
  const cert = writeCertificate(
    {
      ...{ subject: name, issuer: name, publicKey },
      ...{ notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + 100 * day) },
      extensions: [basicConstraints(true), keyUsage(true), certificateExtension('2.5.29.30', constraints)],
    },
    privateKey,
  );
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

async function handshake(server: RunningServer, options: object): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url);
  const ca = server.caFile === undefined ? undefined : await readFile(server.caFile);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}

describe('the certificate that is kept', () => {
  it('is the same from one start to the next, and made anew for names that it is not good for', async () => {
    const directory = temporaryDirectory();
    const first = await keep(directory);
    expect((await keep(directory)).server.fingerprint256).toBe(first.server.fingerprint256);
    const named = await keep(directory, [...local, 'orgctl', '10.1.2.3', '2001:db8::1']);
    expect(named.server.checkHost('orgctl')).toBe('orgctl');
    for (const address of ['127.0.0.1', '10.1.2.3', '2001:db8::1'])
      expect(named.server.checkIP(address)).toBe(address);
  });

  it('has its authority made anew for names that it does not permit, with a word about it, and keeps it for others', async () => {
    const directory = temporaryDirectory();
    const first = await keep(directory, [...local, 'one']);
    expect(await keep(directory)).toMatchObject({ ca: first.ca, notices: [] });
    const second = await keep(directory, [...local, 'two']);
    expect(second.ca).not.toBe(first.ca);
    expect(second.notices).toEqual([expect.stringContaining('the old one did not permit two;')]);
    // What was permitted before still is.
    expect((await keep(directory, [...local, 'one', 'TWO'])).ca).toBe(second.ca);
  });

  it('is renewed when it is about to end, by the same authority; that is made anew when it is', async () => {
    const directory = temporaryDirectory();
    const authority = await issueConstrainedAuthority(new Date(now.getTime() - 1000 * day), local);
    const ending = await issueServerCertificate(authority, local, new Date(now.getTime() - 340 * day));
    await write(directory, 'ca', authority);
    await write(directory, 'server', ending);
    const { server } = await keep(directory);
    expect(readFileSync(join(directory, 'ca.pem'), 'utf8')).toBe(authority.cert);
    expect(Date.parse(server.validTo)).toBeGreaterThan(now.getTime() + 300 * day);
    const old = await issueConstrainedAuthority(new Date(now.getTime() - 3640 * day), local);
    await write(directory, 'ca', old);
    await keep(directory);
    expect(readFileSync(join(directory, 'ca.pem'), 'utf8')).not.toBe(old.cert);
  });

  it('is refused with what to do where it cannot be read', async () => {
    const directory = temporaryDirectory();
    await keep(directory);
    await writeFile(join(directory, 'server.pem'), 'not a certificate');
    await expect(keep(directory)).rejects.toThrow(ConfigError);
  });

  it('is refused with what to do where its authority’s name constraints are not DER', async () => {
    const directory = temporaryDirectory();
    await write(directory, 'ca', withoutDer());
    const refused = keep(directory);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow('ca.pem');
  });
});

describe('a server', () => {
  it('has a certificate that its clients trust by its CA, with TLS 1.2 and later only', async () => {
    const server = await servers.start({ http: false, tlsNames: ['orgctl'] });
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const socket = await handshake(server, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      expect(new X509Certificate(socket.getPeerCertificate().raw).checkHost('orgctl')).toBe('orgctl');
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(handshake(server, old)).rejects.toThrow();
  });

  it('uses a certificate of one’s own as it is, makes no authority, and refuses what is no pair', async () => {
    const [authority, other] = [
      await issueConstrainedAuthority(now, local),
      await issueConstrainedAuthority(now, local),
    ];
    const tls = await issueServerCertificate(authority, ['127.0.0.1'], now);
    const server = await servers.start({ http: false, tls });
    expect(server.caFile).toBeUndefined();
    const socket = await handshake(server, { ca: authority.cert });
    expect(socket.authorized).toBe(true);
    socket.destroy();
    const pairs = [
      { cert: 'x', key: 'y' },
      { cert: authority.cert, key: other.key },
    ];
    for (const pair of pairs) {
      await expect(servers.start({ http: false, tls: pair })).rejects.toThrow(ConfigError);
    }
  });

  it.each(['tlsNames', 'controlHosts'])('refuses what is no name of a machine in %s', async (option) => {
    for (const name of ['', 'https://orgctl', 'orgctl:8443', 'a b', '*.example']) {
      const refused = servers.start({ [option]: [name] });
      await expect(refused).rejects.toThrow(
        `${JSON.stringify(name)} is not the name or address of a machine`,
      );
    }
  });
});

const hosts = [...local, 'orgctl', 'a.example.com', '10.1.2.3', '2001:db8:0::1'];

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}

describe.skipIf(isMissing('openssl'))('certificates, to openssl', () => {
  async function issued(names = hosts) {
    const directory = temporaryDirectory();
    const authority = await issueConstrainedAuthority(now, hosts);
    await write(directory, 'ca', authority);
    await write(directory, 'server', await issueServerCertificate(authority, names, now));
    return { authority, ca: join(directory, 'ca.pem'), server: join(directory, 'server.pem') };
  }

  it('are strictly what RFC 5280 demands, for each of the names and for no other', async () => {
    const { ca, server } = await issued();
    const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca];
    expect(openssl('verify', '-x509_strict', '-check_ss_sig', '-CAfile', ca, ca)).toMatch(/OK/);
    for (const host of hosts) {
      const name = /^[\d.]+$|:/.test(host) ? '-verify_ip' : '-verify_hostname';
      expect(openssl(...strict, name, host, server)).toMatch(/OK/);
    }
    for (const other of ['example.com', 'notorgctl', '10.1.2.4', '2001:db8::2', '128.0.0.1']) {
      const beyond = await issued([other]);
      const { stderr } = spawnSync('openssl', ['verify', '-CAfile', beyond.ca, beyond.server]);
      expect([other, String(stderr)]).toEqual([
        other,
        expect.stringContaining('permitted subtree violation'),
      ]);
    }
  });

  it('have their dates, before and after the year 2050', async () => {
    const authority = await issueConstrainedAuthority(new Date('2045-05-06T07:08:09.123Z'), hosts);
    const file = join(temporaryDirectory(), 'ca.pem');
    await writeFile(file, authority.cert);
    expect(openssl('x509', '-in', file, '-noout', '-dates')).toBe(
      'notBefore=May  5 07:08:09 2045 GMT\nnotAfter=May  3 07:08:09 2055 GMT\n',
    );
  });
});

describe('an authority', () => {
  it('is widened with the names that it had', async () => {
    const authority = await issueConstrainedAuthority(now, ['orgctl', '10.1.2.3']);
    const widened = await widenedAuthority(authority, ['orgctl', 'further'], now);
    const names = permittedBy(widened?.authority.cert ?? '') ?? [];
    expect(permitsAll(names, ['LOCALHOST', 'a.orgctl', '10.1.2.3', 'further'])).toBe(true);
    for (const other of ['notorgctl', 'example.com', '10.1.2.4', '2001:db8::2'])
      expect([other, permitsAll(names, [other])]).toEqual([other, false]);
    expect(widened?.added).toEqual(['further']);
    expect(await widenedAuthority(authority, ['orgctl'], now)).toBeUndefined();
  });

  it.skipIf(isMissing('openssl'))('signs nothing by a key that is not on an elliptic curve', async () => {
    const authority = await issueConstrainedAuthority(now, hosts);
    const key = openssl('genpkey', '-algorithm', 'ED25519', '-quiet');
    await expect(issueServerCertificate({ ...authority, key }, hosts, now)).rejects.toThrow(ConfigError);
  });
});

describe('DER', () => {
  it.each([
    ['10.1.2.3', '0a010203'],
    ['::', '0'.repeat(32)],
    ['2001:DB8::1', '20010db8000000000000000000000001'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
  ])('has the address %s', (address, hex) => {
    expect(toAddressBytes(address).toString('hex')).toBe(hex);
  });
});
