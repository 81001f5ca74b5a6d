import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { readIfThere, writePrivately } from '../data/private-file.js';
import type { CertificateIdentity } from './issue.js';

export interface ServerCertificate extends CertificateIdentity {
  readonly caFile: string;
}

const renewalDays = 30;
const dayLength = 24 * 60 * 60 * 1000;

export interface CertificateOptions {
  readonly hosts: readonly string[];
  readonly now: Date;
  readonly warn: (message: string) => void;
}

/**
 * Returns the stored certificate if it is valid for these hosts for 30 more days; otherwise issues one from a stored
 * local authority. A new authority permits only this machine and these hosts. If it replaces one that is still valid, it
 * also permits the old hosts.
 * @throws ConfigError if stored files are unusable, or new ones cannot be written
 */
export async function serverCertificate(
  directory: string,
  { hosts, now, warn }: CertificateOptions,
): Promise<ServerCertificate> {
  const caFile = join(directory, 'ca.pem');
  const authority =
    readKept(directory, 'ca', (certificate) => certificate.ca && lastsAt(now, certificate)) ??
    (await keepIssued(directory, 'ca', (issue) => issue.issueConstrainedAuthority(now, hosts)));
  const issuer = new X509Certificate(authority.cert);
  const isGood = (certificate: X509Certificate) =>
    lastsAt(now, certificate) &&
    certificate.verify(issuer.publicKey) &&
    hosts.every((host) => coversHost(certificate, host));
  const server =
    readKept(directory, 'server', isGood) ??
    (await issueCertificate(directory, authority, { hosts, now, warn }));
  return { ...server, caFile };
}

/** Replaces an authority that does not permit all hosts, because clients would refuse the others. */
async function issueCertificate(
  directory: string,
  authority: CertificateIdentity,
  { hosts, now, warn }: CertificateOptions,
): Promise<CertificateIdentity> {
  const { widenedAuthority } = await import('./issue.js');
  const widened = await widenedAuthority(authority, hosts, now).catch((error: unknown) => {
    throw unusable(directory, 'ca', error);
  });
  if (widened !== undefined) {
    await keepIssued(directory, 'ca', async () => widened.authority);
    warn(
      `the local CA was replaced, because the old one did not permit ${widened.added.join(', ')}; clients that trust a copy of the old ca.pem need the new one`,
    );
  }
  return keepIssued(directory, 'server', (issue) =>
    issue.issueServerCertificate(widened?.authority ?? authority, hosts, now),
  );
}

function readKept(
  directory: string,
  name: string,
  isGood: (certificate: X509Certificate) => boolean,
): CertificateIdentity | undefined {
  try {
    const cert = readIfThere(join(directory, `${name}.pem`), 'public');
    const key = readIfThere(join(directory, `${name}-key.pem`), 'secret');
    if (cert === undefined || key === undefined) return undefined;
    const certificate = new X509Certificate(cert);
    const isPair = certificate.checkPrivateKey(createPrivateKey(key));
    return isPair && isGood(certificate) ? { cert, key } : undefined;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unusable(directory, name, error);
  }
}

function unusable(directory: string, name: string, cause: unknown): ConfigError {
  const trust = name === 'ca' ? ', and clients must trust the new ca.pem' : '';
  return new ConfigError(
    `${name}.pem or ${name}-key.pem in ${directory} cannot be used: ${readMessage(cause)}`,
    {
      hint: `remove both: the server then creates new ones${trust}`,
      cause,
    },
  );
}

async function keepIssued(
  directory: string,
  name: string,
  make: (issue: typeof import('./issue.js')) => Promise<CertificateIdentity>,
): Promise<CertificateIdentity> {
  const identity = await make(await import('./issue.js'));
  // Writes the key first, so that a new certificate on disk always has its key.
  await writePrivately(join(directory, `${name}-key.pem`), identity.key);
  await writePrivately(join(directory, `${name}.pem`), identity.cert);
  return identity;
}

function lastsAt(now: Date, certificate: X509Certificate): boolean {
  return (
    Date.parse(certificate.validFrom) <= now.getTime() &&
    Date.parse(certificate.validTo) > now.getTime() + renewalDays * dayLength
  );
}

function coversHost(certificate: X509Certificate, host: string): boolean {
  // Node 20's `isIPv6` compiles a long pattern at its first use; only IPv6 addresses have colons.
  const isAddress = host.includes(':') || isIPv4(host);
  return (isAddress ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
}
