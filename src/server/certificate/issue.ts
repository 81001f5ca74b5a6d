import { randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
// Needed by decorators of the next import, so it has to be loaded first.
import 'reflect-metadata';
import type { GeneralName } from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import { nameConstraints, permitsAll, permittedBy, permittedFor } from './name-constraints.js';

export interface CertificateIdentity {
  readonly cert: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const oneDay = 24 * 60 * 60 * 1000;
/** Days. */
const validity = { authority: 3650, server: 365 } as const;

export function issueConstrainedAuthority(now: Date, hosts: readonly string[]): Promise<CertificateIdentity> {
  return issueAuthority(now, permittedFor(hosts));
}

/**
 * Creates a local certificate authority, which cannot sign further authorities.
 * @param permitted the names that its certificates may have; default: any
 */
export async function issueAuthority(
  now: Date,
  permitted?: readonly GeneralName[],
): Promise<CertificateIdentity> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // A new name each time: clients that trust several distinguish them by name.
    name: `CN=orgctl local CA ${randomBytes(4).toString('hex')}`,
    ...period(now, validity.authority),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(permitted === undefined ? [] : [nameConstraints(permitted)]),
    ],
  });
  return { cert: toPem(certificate), key: await exportKey(keys.privateKey) };
}

/** Permits the old hosts, too. `undefined` if the authority already permits these hosts. */
export async function widenedAuthority(
  { cert }: CertificateIdentity,
  hosts: readonly string[],
  now: Date,
): Promise<CertificateIdentity | undefined> {
  const permitted = permittedBy(cert);
  if (permitted === undefined || permitsAll(permitted, hosts)) return undefined;
  return issueAuthority(now, permittedFor(hosts, permitted));
}

export async function issueServerCertificate(
  authority: CertificateIdentity,
  hosts: readonly string[],
  now: Date,
): Promise<CertificateIdentity> {
  const keys = await newKeys();
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: 'CN=orgctl serve',
    issuer: issuer.subject,
    ...period(now, validity.server),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return { cert: toPem(certificate), key: await exportKey(keys.privateKey) };
}

/** Ends with a line feed, so that files can be joined. */
function toPem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

function alternativeName(host: string) {
  return { type: isIP(host) === 0 ? 'dns' : 'ip', value: host } as const;
}

/** Begins a day ago, for clients whose clock is behind. */
function period(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const start = now.getTime() - oneDay;
  return { notBefore: new Date(start), notAfter: new Date(start + days * oneDay) };
}

/** 127 random bits, positive as RFC 5280, section 4.1.2.2 demands. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString('hex');
}

function newKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function importKey(pem: string) {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new TypeError('not a private key in PEM');
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
