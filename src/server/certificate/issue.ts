import { generateKeyPair as generateKeyPairCallback, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  authorityKeyId,
  basicConstraints,
  commonName,
  keyUsage,
  nameConstraints,
  serverUsage,
  subjectAlternativeNames,
  subjectKeyId,
  writeCertificate,
} from './write-certificate.js';

const generateKeyPair = promisify(generateKeyPairCallback);
const oneDay = 24 * 60 * 60 * 1000;

/** Days; Apple's systems accept no longer ones. */
const validity = 825;

export interface IssuedCertificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Creates a local authority that permits only this machine and the hosts, and a certificate. Its key is thrown away. */
export async function issueCertificates(now: Date, hosts: readonly string[]): Promise<IssuedCertificates> {
  const [authority, server] = await Promise.all([newKeys(), newKeys()]);
  // Random, so that clients that trust several authorities can distinguish them.
  const issuer = commonName(`orgctl local CA ${randomBytes(4).toString('hex')}`);
  // Begins a day ago, for clients whose clock is behind.
  const notBefore = new Date(now.getTime() - oneDay);
  const period = { notBefore, notAfter: new Date(notBefore.getTime() + validity * oneDay) };
  const ca = {
    ...{ subject: issuer, issuer, ...period, publicKey: authority.publicKey },
    extensions: [
      basicConstraints(true),
      keyUsage(true),
      subjectKeyId(authority.publicKey),
      nameConstraints(hosts),
    ],
  };
  const own = {
    ...{ subject: commonName('orgctl serve'), issuer, ...period, publicKey: server.publicKey },
    extensions: [
      basicConstraints(false),
      keyUsage(false),
      serverUsage(),
      subjectAlternativeNames(hosts),
      subjectKeyId(server.publicKey),
      authorityKeyId(authority.publicKey),
    ],
  };
  return {
    ca: writeCertificate(ca, authority.privateKey),
    cert: writeCertificate(own, authority.privateKey),
    key: toPem(server.privateKey),
  };
}

function newKeys() {
  return generateKeyPair('ec', { namedCurve: 'P-256' });
}

function toPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
