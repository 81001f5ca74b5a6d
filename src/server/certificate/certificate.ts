import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { readIfThere, writePrivately } from '../data/private-file.js';

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
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
 * Returns the stored certificate if it is valid for these hosts for 30 more days; otherwise issues a new one, also for
 * the old hosts, with a new local authority: the old one's key was thrown away.
 * @throws ConfigError if stored files are unusable, or new ones cannot be written
 */
export async function serverCertificate(
  directory: string,
  { hosts, now, warn }: CertificateOptions,
): Promise<ServerCertificate> {
  const caFile = join(directory, 'ca.pem');
  const [certFile, keyFile] = [join(directory, 'server.pem'), join(directory, 'server-key.pem')];
  const ca = readIfThere(caFile, 'public');
  const cert = readIfThere(certFile, 'public');
  const key = readIfThere(keyFile, 'secret');
  let former: readonly string[] = [];
  if (ca !== undefined && cert !== undefined && key !== undefined) {
    const kept = readKept(directory, ca, cert, key);
    if (kept.isSound && lastsAt(now, kept.certificate)) {
      if (hosts.every((host) => coversHost(kept.certificate, host))) return { cert, key, caFile };
    }
    former = namesOf(kept.certificate);
  }
  const { issueCertificates } = await import('./issue.js');
  const issued = await issueCertificates(now, [...new Set([...former, ...hosts])]);
  // The certificate comes last: without it, or with that of another key, the next start makes all anew.
  await writePrivately(keyFile, issued.key);
  await writePrivately(caFile, issued.ca);
  await writePrivately(certFile, issued.cert);
  if (ca !== undefined) {
    warn(
      'the local CA and certificate were made anew; clients that trust a copy of the old ca.pem need the new one',
    );
  }
  return { cert: issued.cert, key: issued.key, caFile };
}

/** @throws ConfigError */
function readKept(directory: string, ca: string, cert: string, key: string) {
  try {
    const certificate = new X509Certificate(cert);
    const isSound =
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      certificate.verify(new X509Certificate(ca).publicKey);
    return { certificate, isSound };
  } catch (error) {
    throw new ConfigError(
      `ca.pem, server.pem or server-key.pem in ${directory} cannot be used: ${readMessage(error)}`,
      {
        hint: 'remove all three: the server then creates new ones, and clients must trust the new ca.pem',
        cause: error,
      },
    );
  }
}

function lastsAt(now: Date, { validFrom, validTo }: X509Certificate): boolean {
  const end = now.getTime() + renewalDays * dayLength;
  return Date.parse(validFrom) <= now.getTime() && Date.parse(validTo) > end;
}

function coversHost(certificate: X509Certificate, host: string): boolean {
  // Node 20's `isIPv6` compiles a long pattern at its first use; only IPv6 addresses have colons.
  const isAddress = host.includes(':') || isIPv4(host);
  return (isAddress ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;
}

/** The names and addresses of our own certificate, such as `DNS:localhost, IP Address:127.0.0.1`. */
function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([\w.:-]+)/g)].map(([, name = '']) => name);
}
