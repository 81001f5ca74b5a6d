import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { issueCertificates } from '../../src/server/certificate/issue.js';
import type { RunningServer } from '../../src/server/index.js';
import { Caller } from '../support/caller.js';
import { isMissing } from '../support/programs.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { useServers } from '../support/servers.js';

const servers = useServers();
const now = new Date();
const local = ['localhost', '127.0.0.1', '::1'];

/** Leaves the files of an earlier start. */
async function write(directory: string, { ca, cert, key }: { ca: string; cert: string; key: string }) {
  await writeFile(join(directory, 'ca.pem'), ca, { mode: 0o600 });
  await writeFile(join(directory, 'server.pem'), cert, { mode: 0o600 });
  await writeFile(join(directory, 'server-key.pem'), key, { mode: 0o600 });
}

async function handshake(server: RunningServer, options: object): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url);
  const ca = server.caFile === undefined ? undefined : await readFile(server.caFile);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}

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
});

const hosts = [...local, 'orgctl', 'a.example.com', '10.1.2.3', '2001:db8:0::1'];

function openssl(...args: string[]): string {
  return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
}

describe.skipIf(isMissing('openssl'))('certificates, to openssl', () => {
  it('are strictly what RFC 5280 demands, for each of the names and for no other', async () => {
    const directory = temporaryDirectory();
    await write(directory, issueCertificates(now, hosts));
    const [ca, server] = [join(directory, 'ca.pem'), join(directory, 'server.pem')];
    const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca];
    expect(openssl('verify', '-x509_strict', '-check_ss_sig', '-CAfile', ca, ca)).toMatch(/OK/);
    for (const host of hosts) {
      const name = /^[\d.]+$|:/.test(host) ? '-verify_ip' : '-verify_hostname';
      expect(openssl(...strict, name, host, server)).toMatch(/OK/);
    }
    const constraints = openssl('x509', '-in', ca, '-noout', '-ext', 'nameConstraints');
    expect(constraints.match(/(DNS|IP):\S+/g)).toEqual([
      'IP:127.0.0.0/255.0.0.0',
      'DNS:localhost',
      'IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
      'DNS:orgctl',
      'DNS:a.example.com',
      'IP:10.1.2.3/255.255.255.255',
      'IP:2001:DB8:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF',
    ]);
  });
});
