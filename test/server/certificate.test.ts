import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  checkServerIdentity as checkIdentity,
  connect,
  createServer,
  type PeerCertificate,
  type TLSSocket,
} from 'node:tls';
import { describe, expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { ConfigError } from '../../src/errors/errors.js';
import { issueAuthority, issueServerCertificate } from '../../src/server/certificate/issue.js';
import type { LogEntry, RunningServer } from '../../src/server/index.js';
import { Caller } from './support/caller.js';
import { useServers } from './support/start.js';

const servers = useServers();
const day = 24 * 60 * 60 * 1000;

function startSecurely(data: string, host?: string) {
  return servers.start({ data, host, http: false });
}

async function read(data: string, name: string) {
  return new X509Certificate(await readFile(join(data, `${name}.pem`)));
}

async function readIdentity(data: string, name: string) {
  const [cert, key] = await Promise.all(
    [`${name}.pem`, `${name}-key.pem`].map((file) => readFile(join(data, file), 'utf8')),
  );
  return { cert: String(cert), key: String(key) };
}

/** What a client that trusts an authority says of a certificate that was signed by it for a host. */
async function trialOf(ca: { cert: string; key: string }, host: string): Promise<string> {
  const { cert, key } = await issueServerCertificate(ca, [host], new Date());
  const server = createServer({ cert, key }, (socket) => socket.on('error', () => undefined).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.parse(z.object({ port: z.number() }), server.address());
  const isName = isIP(host) === 0;
  const options = { host: '127.0.0.1', port, ca: ca.cert, ...(isName && { servername: host }) };
  const checkServerIdentity = (_host: string, peer: PeerCertificate) => checkIdentity(host, peer);
  const socket = connect({ ...options, checkServerIdentity });
  try {
    await once(socket, 'secureConnect');
    return 'trusted';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    socket.destroy();
    server.close();
  }
}

async function handshake(server: RunningServer, options: object): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url);
  const ca = server.caFile === undefined ? undefined : await readFile(server.caFile);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ca, ...options }, () => resolve(socket));
    socket.on('error', reject);
  });
}

describe('the certificate', () => {
  it('is ECDSA P-256, and CA:TRUE is on the authority alone', async () => {
    const data = await servers.directory();
    await startSecurely(data);
    const ca = await read(data, 'ca');
    const server = await read(data, 'server');
    expect([ca.ca, server.ca]).toEqual([true, false]);
    for (const { publicKey } of [ca, server]) {
      expect(publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    }
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });

  it('is good for the names that it is asked for, and a kept one is made anew for them', async () => {
    const data = await servers.directory();
    await (await startSecurely(data)).close();
    const before = await read(data, 'server');
    expect(before.checkHost('orgctl')).toBeUndefined();
    const tlsNames = ['orgctl', '10.1.2.3', '2001:db8::1'];
    await servers.start({ data, host: '0.0.0.0', http: false, tlsNames });
    const server = await read(data, 'server');
    expect(server.checkHost('orgctl')).toBe('orgctl');
    for (const address of ['127.0.0.1', '10.1.2.3', '2001:db8::1']) {
      expect(server.checkIP(address)).toBe(address);
    }
    expect(server.verify((await read(data, 'ca')).publicKey)).toBe(true);
  });

  it('can be trusted for the names of the server alone: its authority signs for no others', async () => {
    const data = await servers.directory();
    const server = await servers.start({ data, http: false, tlsNames: ['orgctl', '2001:db8:0::1'] });
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    const ca = await readIdentity(data, 'ca');
    for (const host of ['localhost', '127.0.0.1', '127.0.0.2', 'orgctl', 'a.orgctl', '2001:db8::1', '::1']) {
      expect([host, await trialOf(ca, host)]).toEqual([host, 'trusted']);
    }
    for (const host of [
      'example.com',
      'orgctl.example.com',
      'notorgctl',
      '10.1.2.3',
      '2001:db8::2',
      '128.0.0.1',
    ]) {
      expect([host, await trialOf(ca, host)]).toEqual([host, 'permitted subtree violation']);
    }
  });

  it('has its authority made anew for names that it does not permit, with a word about it, and keeps it for others', async () => {
    const data = await servers.directory();
    const notices: string[] = [];
    const start = async (tlsNames: string[]) => {
      const onLog = (entry: LogEntry) => void (entry.event === 'warning' && notices.push(entry.message));
      const server = await servers.start({ data, http: false, tlsNames, onLog });
      expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
      await server.close();
      return (await read(data, 'ca')).fingerprint256;
    };
    const first = await start(['one']);
    expect(await start([])).toBe(first);
    expect(notices).toEqual([]);
    const second = await start(['two']);
    expect(second).not.toBe(first);
    expect(notices).toEqual([expect.stringContaining('the old one did not permit two:')]);
    // What was permitted before still is.
    expect(await start(['one', 'TWO'])).toBe(second);
  });

  it('is kept with an authority of an earlier version, and it is said how to have another', async () => {
    const data = await servers.directory();
    await writeIdentity(data, 'ca', await issueAuthority(new Date()));
    const before = await readFile(join(data, 'ca.pem'), 'utf8');
    const notices: string[] = [];
    const onLog = (entry: LogEntry) => void (entry.event === 'warning' && notices.push(entry.message));
    const server = await servers.start({ data, http: false, tlsNames: ['further'], onLog });
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
    expect(await readFile(join(data, 'ca.pem'), 'utf8')).toBe(before);
    expect(notices).toEqual([expect.stringContaining('remove ca.pem and ca-key.pem')]);
  });

  it.each(['tlsNames', 'controlHosts'])('refuses what is no name of a machine in %s', async (option) => {
    for (const name of ['', 'https://orgctl', 'orgctl:8443', 'a b', '*.example']) {
      const refused = servers.start({ [option]: [name] });
      await expect(refused).rejects.toThrow(`\`${option}: ${name}\``);
    }
  });

  it('is offered with TLS 1.2 and later only', async () => {
    const server = await servers.start({ http: false });
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      const socket = await handshake(server, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    await expect(
      handshake(server, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow();
  });

  it('is kept from one start to the next', async () => {
    const data = await servers.directory();
    await (await startSecurely(data)).close();
    const before = await read(data, 'server');
    await startSecurely(data);
    expect((await read(data, 'server')).fingerprint256).toBe(before.fingerprint256);
  });

  it('is renewed when it is about to end, by the same authority', async () => {
    const data = await servers.directory();
    const now = Date.now();
    const authority = await issueAuthority(new Date(now - 1000 * day));
    const ending = await issueServerCertificate(
      authority,
      ['localhost', '127.0.0.1', '::1'],
      new Date(now - 340 * day),
    );
    await writeIdentity(data, 'ca', authority);
    await writeIdentity(data, 'server', ending);
    const server = await startSecurely(data);
    expect(await readFile(join(data, 'ca.pem'), 'utf8')).toBe(authority.cert);
    expect(Date.parse((await read(data, 'server')).validTo)).toBeGreaterThan(now + 300 * day);
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
  });

  it('of an authority about to end is made anew with the authority', async () => {
    const data = await servers.directory();
    await writeIdentity(data, 'ca', await issueAuthority(new Date(Date.now() - 3640 * day)));
    const server = await startSecurely(data);
    expect((await new Caller(server).send('GET', '/quotas')).status).toBe(200);
  });

  it('that cannot be read is refused with what to do', async () => {
    const data = await servers.directory();
    await (await startSecurely(data)).close();
    await writeFile(join(data, 'server.pem'), 'not a certificate');
    await expect(startSecurely(data)).rejects.toThrow(ConfigError);
    await rm(join(data, 'server.pem'));
    await startSecurely(data);
  });
});

describe('a certificate of one’s own', () => {
  it('is used as it is, and no authority is made', async () => {
    const authority = await issueAuthority(new Date());
    const tls = await issueServerCertificate(authority, ['127.0.0.1'], new Date());
    const server = await servers.start({ http: false, tls });
    expect(server.caFile).toBeUndefined();
    const socket = await handshake(server, { ca: authority.cert });
    expect(socket.authorized).toBe(true);
    socket.destroy();
  });

  it('is refused when it is not PEM or not a pair', async () => {
    const authority = await issueAuthority(new Date());
    const other = await issueAuthority(new Date());
    for (const tls of [
      { cert: 'x', key: 'y' },
      { cert: authority.cert, key: other.key },
    ]) {
      await expect(servers.start({ http: false, tls })).rejects.toThrow(ConfigError);
    }
  });
});

async function writeIdentity(data: string, name: string, identity: { cert: string; key: string }) {
  await writeFile(join(data, `${name}.pem`), identity.cert, { mode: 0o600 });
  await writeFile(join(data, `${name}-key.pem`), identity.key, { mode: 0o600 });
}
