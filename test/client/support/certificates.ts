import { webcrypto } from 'node:crypto';
// Decorators of the next import need it, and it has to be loaded first.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** What a certificate may be used for, instead of for servers. */
export const forClients = x509.ExtendedKeyUsage.clientAuth;

const day = 24 * 60 * 60 * 1000;

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** Signs a server's certificate; days are counted from now. */
  issue(
    hosts: readonly string[],
    days?: { readonly from: number; readonly to: number },
    usage?: x509.ExtendedKeyUsage,
  ): Promise<Certificate>;
}

/** A certificate authority that nobody trusts unless told to. */
export async function makeAuthority(name: string): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    ...period({ from: -800, to: 800 }),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  return {
    cert: root.toString('pem'),
    key: await privatePem(keys.privateKey),
    async issue(hosts, days = { from: -1, to: 30 }, usage = x509.ExtendedKeyUsage.serverAuth) {
      const own = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        subject: 'CN=peer',
        issuer: root.subject,
        ...period(days),
        signingAlgorithm: algorithm,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension(hosts.map(alternativeName)),
          new x509.ExtendedKeyUsageExtension([usage]),
        ],
      });
      return { cert: certificate.toString('pem'), key: await privatePem(own.privateKey) };
    },
  };
}

function alternativeName(host: string) {
  return { type: /^[\d.]+$/.test(host) ? ('ip' as const) : ('dns' as const), value: host };
}

function period({ from, to }: { readonly from: number; readonly to: number }) {
  const now = Date.now();
  return { notBefore: new Date(now + from * day), notAfter: new Date(now + to * day) };
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
