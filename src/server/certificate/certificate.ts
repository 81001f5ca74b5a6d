import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { readIfThere, writePrivately } from '../data/private-file.js';

/** Milliseconds; a certificate is replaced 30 days before its end. */
const renewal = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the stored certificate if it is valid for these hosts; otherwise issues a new one, also for the old hosts, with
 * a new local authority: the old one's key was thrown away. @throws ConfigError for unusable files
 */
export async function serverCertificate(
  directory: string,
  hosts: readonly string[],
  now: Date,
  warn: (message: string) => void,
): Promise<{ readonly cert: string; readonly key: string; readonly caFile: string }> {
  const caFile = join(directory, 'ca.pem');
  const [certFile, keyFile] = [join(directory, 'server.pem'), join(directory, 'server-key.pem')];
  const ca = readIfThere(caFile, 'public');
  const [cert = '', key = ''] = [readIfThere(certFile, 'public'), readIfThere(keyFile, 'secret')];
  const kept = readPair(ca ?? '', cert, key);
  const isLasting =
    kept && Date.parse(kept.validFrom) <= now.getTime() && Date.parse(kept.validTo) - renewal > now.getTime();
  // Node 20's `isIPv6` compiles a long pattern at its first use; only IPv6 addresses have colons.
  const isAddress = (host: string) => host.includes(':') || isIPv4(host);
  const covers = (host: string) => (isAddress(host) ? kept?.checkIP(host) : kept?.checkHost(host));
  if (isLasting && hosts.every((host) => covers(host) !== undefined)) return { cert, key, caFile };
  const { issueCertificates } = await import('./issue.js');
  const issued = issueCertificates(now, [...new Set([...namesOf(kept), ...hosts])]);
  // The certificate comes last: if it is missing, the next start makes all three again.
  await writePrivately(keyFile, issued.key);
  await writePrivately(caFile, issued.ca);
  await writePrivately(certFile, issued.cert);
  if (ca !== undefined)
    warn('the local CA and certificate were replaced; clients that trust the old ca.pem need the new one');
  return { cert: issued.cert, key: issued.key, caFile };
}

/** `undefined` if a file is damaged, or does not belong to the others. */
function readPair(ca: string, cert: string, key: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(cert);
    const isPair = certificate.checkPrivateKey(createPrivateKey(key));
    return isPair && certificate.verify(new X509Certificate(ca).publicKey) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

/** From text such as `DNS:localhost, IP Address:127.0.0.1`. */
function namesOf(certificate: X509Certificate | undefined): string[] {
  const text = certificate?.subjectAltName ?? '';
  return [...text.matchAll(/(?:DNS|IP Address):([\w.:-]+)/g)].map(([, name = '']) => name);
}
