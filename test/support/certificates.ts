import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  basicConstraints,
  commonName,
  extendedUsage,
  subjectAlternativeNames,
  writeCertificate,
} from '../../src/server/certificate/issue.js';

const day = 24 * 60 * 60 * 1000;

/** For a certificate of clients alone. */
export const forClients = extendedUsage('client');

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** Signs a server's certificate; days are counted from now. */
  issue(
    hosts: readonly string[],
    days?: { readonly from: number; readonly to: number },
    usage?: Buffer,
  ): Promise<Certificate>;
}

/** A certificate authority that nobody trusts unless told to. */
export async function makeAuthority(name: string): Promise<Authority> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = commonName(name);
  const validity = period({ from: -800, to: 800 });
  const extensions = [basicConstraints(true)];
  return {
    cert: writeCertificate({ subject: issuer, issuer, ...validity, publicKey, extensions }, privateKey),
    key: privatePem(privateKey),
    async issue(hosts, days = { from: -1, to: 30 }, usage = extendedUsage('server')) {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const content = {
        subject: commonName('peer'),
        issuer,
        ...period(days),
        publicKey: own.publicKey,
        extensions: [subjectAlternativeNames(hosts), usage],
      };
      return { cert: writeCertificate(content, privateKey), key: privatePem(own.privateKey) };
    },
  };
}

function period({ from, to }: { readonly from: number; readonly to: number }) {
  const now = Date.now();
  return { notBefore: new Date(now + from * day), notAfter: new Date(now + to * day) };
}

function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
