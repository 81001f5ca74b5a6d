import {
  createPrivateKey,
  generateKeyPair as generateKeyPairCallback,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ConfigError } from '../../errors/errors.js';
import {
  nameConstraints,
  type PermittedName,
  permitsAll,
  permittedBy,
  permittedFor,
} from './name-constraints.js';
import {
  authorityKeyId,
  basicConstraints,
  commonName,
  keyUsage,
  readSubject,
  serverUsage,
  subjectAlternativeNames,
  subjectKeyId,
  writeCertificate,
} from './write-certificate.js';

export interface CertificateIdentity {
  readonly cert: string;
  readonly key: string;
}

const generateKeyPair = promisify(generateKeyPairCallback);
const oneDay = 24 * 60 * 60 * 1000;
const validity = { authority: 3650, server: 365 } as const;

export function issueConstrainedAuthority(now: Date, hosts: readonly string[]): Promise<CertificateIdentity> {
  return issueAuthority(now, permittedFor(hosts));
}

/** Creates a local certificate authority. @param permitted names for its certificates */
async function issueAuthority(now: Date, permitted: readonly PermittedName[]): Promise<CertificateIdentity> {
  const { publicKey, privateKey } = await newKeys();
  // Random, so that clients that trust several authorities can distinguish them.
  const name = commonName(`orgctl local CA ${randomBytes(4).toString('hex')}`);
  const extensions = [
    basicConstraints(true),
    keyUsage(true),
    subjectKeyId(publicKey),
    nameConstraints(permitted),
  ];
  const content = { subject: name, issuer: name, ...period(now, validity.authority), publicKey, extensions };
  return { cert: writeCertificate(content, privateKey), key: toPem(privateKey) };
}

export interface WidenedAuthority {
  readonly authority: CertificateIdentity;
  readonly added: readonly string[];
}

/** An authority for these and the old hosts; `undefined` if the old authority already permits these hosts. */
export async function widenedAuthority(
  { cert }: CertificateIdentity,
  hosts: readonly string[],
  now: Date,
): Promise<WidenedAuthority | undefined> {
  const permitted = permittedBy(cert);
  const added = permitted === undefined ? [] : hosts.filter((host) => !permitsAll(permitted, [host]));
  if (added.length === 0) return undefined;
  return { authority: await issueAuthority(now, permittedFor(hosts, permitted)), added };
}

/** @throws ConfigError unless the authority's key is on an elliptic curve */
export async function issueServerCertificate(
  authority: CertificateIdentity,
  hosts: readonly string[],
  now: Date,
): Promise<CertificateIdentity> {
  const { publicKey, privateKey } = await newKeys();
  const issuer = new X509Certificate(authority.cert);
  const content = {
    subject: commonName('orgctl serve'),
    issuer: readSubject(issuer.raw),
    ...period(now, validity.server),
    publicKey,
    extensions: [
      basicConstraints(false),
      keyUsage(false),
      serverUsage(),
      subjectAlternativeNames(hosts),
      subjectKeyId(publicKey),
      authorityKeyId(issuer.publicKey),
    ],
  };
  return { cert: writeCertificate(content, readSigningKey(authority.key)), key: toPem(privateKey) };
}

function readSigningKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType === 'ec') return key;
  throw new ConfigError(
    `ca-key.pem holds a key of type ${key.asymmetricKeyType}; it must be an elliptic-curve key`,
    {
      hint: 'remove ca.pem and ca-key.pem: the server then creates a new CA, which clients must trust',
    },
  );
}

/** Begins a day ago, for clients whose clock is behind. */
function period(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  const start = now.getTime() - oneDay;
  return { notBefore: new Date(start), notAfter: new Date(start + days * oneDay) };
}

function newKeys() {
  return generateKeyPair('ec', { namedCurve: 'P-256' });
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
