import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { derTags, encodeDer, readDer, readDerAt } from '../../src/server/certificate/der.js';
import {
  issueConstrainedAuthority,
  issueServerCertificate,
  widenedAuthority,
} from '../../src/server/certificate/issue.js';
import { permitsAll, permittedBy } from '../../src/server/certificate/name-constraints.js';
import { readSubject, toAddressBytes } from '../../src/server/certificate/write-certificate.js';
import { temporaryDirectory } from '../support/run-cli.js';

const hosts = ['localhost', '127.0.0.1', '::1', 'orgctl', 'a.example.com', '10.1.2.3', '2001:db8:0::1'];
const now = new Date();

async function issued() {
  const directory = temporaryDirectory();
  const authority = await issueConstrainedAuthority(now, hosts);
  const server = await issueServerCertificate(authority, hosts, now);
  const files = { ca: join(directory, 'ca.pem'), server: join(directory, 'server.pem') };
  writeFileSync(files.ca, authority.cert);
  writeFileSync(files.server, server.cert);
  return { authority, server, files };
}

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}

describe('certificates, to openssl', () => {
  it('are strictly what RFC 5280 demands, for each of the names', async () => {
    const { files } = await issued();
    const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', files.ca];
    expect(openssl('verify', '-x509_strict', '-check_ss_sig', '-CAfile', files.ca, files.ca)).toMatch(/OK/);
    for (const host of hosts) {
      const name = /^[\d.]+$|:/.test(host) ? '-verify_ip' : '-verify_hostname';
      expect(openssl(...strict, name, host, files.server)).toMatch(/OK/);
    }
    const { status } = spawnSync('openssl', [...strict, '-verify_hostname', 'other', files.server]);
    expect(status).not.toBe(0);
  });

  it('have the extensions of an authority that signs for some names, and of a server', async () => {
    const { files } = await issued();
    const ca = openssl('x509', '-in', files.ca, '-noout', '-text').replaceAll(/\n\s+/g, '\n');
    expect(ca).toContain('Basic Constraints: critical\nCA:TRUE, pathlen:0\n');
    expect(ca).toContain('Key Usage: critical\nCertificate Sign, CRL Sign\n');
    expect(ca).toContain('Name Constraints: critical\nPermitted:\nDNS:localhost\nIP:127.0.0.0/255.0.0.0\n');
    expect(ca).toContain('DNS:a.example.com\nIP:10.1.2.3/255.255.255.255\n');
    const server = openssl('x509', '-in', files.server, '-noout', '-text').replaceAll(/\n\s+/g, '\n');
    expect(server).toContain('Basic Constraints: critical\nCA:FALSE\n');
    expect(server).toContain('Key Usage: critical\nDigital Signature\n');
    expect(server).toContain('TLS Web Server Authentication\n');
    expect(server).toMatch(/Serial Number:\n[4-7][0-9a-f](?::[0-9a-f]{2}){15}\n/);
    const keyId = /Subject Key Identifier: ?\n([\dA-F:]+)/.exec(ca)?.[1];
    expect(server).toMatch(new RegExp(`Authority Key Identifier: ?\\n(?:keyid:)?${keyId}\\n`));
  });

  it('have their dates, before and after the year 2050', async () => {
    const authority = await issueConstrainedAuthority(new Date('2045-05-06T07:08:09.123Z'), hosts);
    const file = join(temporaryDirectory(), 'ca.pem');
    writeFileSync(file, authority.cert);
    expect(openssl('x509', '-in', file, '-noout', '-dates')).toBe(
      'notBefore=May  5 07:08:09 2045 GMT\nnotAfter=May  3 07:08:09 2055 GMT\n',
    );
  });
});

describe('an authority of an earlier version', () => {
  const cert = readFileSync(new URL('../fixtures/0.1.0/ca.pem', import.meta.url), 'utf8');

  it('is read: its names and its subject', async () => {
    const permitted = permittedBy(cert) ?? [];
    expect(permitsAll(permitted, ['LOCALHOST', 'orgctl', 'a.orgctl', '127.9.9.9', '2001:db8::1'])).toBe(true);
    for (const other of ['notorgctl', 'example.com', '10.1.2.4', '2001:db8::2'])
      expect([other, permitsAll(permitted, [other])]).toEqual([other, false]);
    expect(readSubject(new X509Certificate(cert).raw).toString()).toMatch(/orgctl local CA 562366e7$/);
  });

  it('is widened with the names that it had', async () => {
    const widened = await widenedAuthority({ cert, key: '' }, ['orgctl', 'further'], now);
    expect(
      permitsAll(permittedBy(widened?.authority.cert ?? '') ?? [], ['orgctl', '10.1.2.3', 'further']),
    ).toBe(true);
    expect(widened?.added).toEqual(['further']);
    expect(await widenedAuthority({ cert, key: '' }, ['orgctl'], now)).toBeUndefined();
  });

  it('signs nothing by a key that is not on an elliptic curve', async () => {
    const { authority } = await issued();
    const key = openssl('genpkey', '-algorithm', 'ED25519', '-quiet');
    await expect(issueServerCertificate({ ...authority, key }, hosts, now)).rejects.toThrow(ConfigError);
  });
});

describe('DER', () => {
  it('refuses values that are cut off, or that are not there', () => {
    const encoded = encodeDer(derTags.sequence, Buffer.alloc(300));
    for (const length of [1, 2, 3, 4, 303])
      expect(() => readDer(encoded.subarray(0, length))).toThrow(RangeError);
    expect(() => readDerAt(encodeDer(derTags.sequence), [0, 0])).toThrow(RangeError);
  });

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
