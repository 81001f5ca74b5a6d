import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import {
  contextTag,
  derBitString,
  derInteger,
  derObjectId,
  derSequence,
  derTags,
  derTime,
  encodeDer,
} from './der.js';

/** Content of an X.509 certificate (RFC 5280). */
export interface CertificateContent {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** Returns PEM that ends with a line feed, so that files can be joined. @param key the issuer's, for ECDSA */
export function writeCertificate(
  { subject, issuer, notBefore, notAfter, publicKey, extensions }: CertificateContent,
  key: KeyObject,
): string {
  const algorithm = derSequence(derObjectId('1.2.840.10045.4.3.2'));
  const toSign = derSequence(
    encodeDer(contextTag.around(0), derInteger(2)),
    serialNumber(),
    algorithm,
    issuer,
    derSequence(derTime(notBefore), derTime(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(contextTag.around(3), derSequence(...extensions)),
  );
  const certificate = derSequence(toSign, algorithm, derBitString(sign('sha256', toSign, key)));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

export function commonName(name: string): Buffer {
  const attribute = derSequence(derObjectId('2.5.4.3'), encodeDer(derTags.utf8String, Buffer.from(name)));
  return derSequence(encodeDer(derTags.set, attribute));
}

export function certificateExtension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  const critical = isCritical ? [encodeDer(derTags.boolean, Uint8Array.of(0xff))] : [];
  return derSequence(derObjectId(id), ...critical, encodeDer(derTags.octetString, value));
}

/** An authority may sign certificates, but not those of further authorities. */
export function basicConstraints(authority: boolean): Buffer {
  const value = authority ? [encodeDer(derTags.boolean, Uint8Array.of(0xff)), derInteger(0)] : [];
  return certificateExtension('2.5.29.19', derSequence(...value), { isCritical: true });
}

/** An authority's key may sign certificates and revocation lists; other keys may sign only data. */
export function keyUsage(authority: boolean): Buffer {
  const bits = authority ? derBitString(Uint8Array.of(0x06), 1) : derBitString(Uint8Array.of(0x80), 7);
  return certificateExtension('2.5.29.15', bits, { isCritical: true });
}

export function serverUsage(): Buffer {
  return certificateExtension('2.5.29.37', derSequence(derObjectId('1.3.6.1.5.5.7.3.1')));
}

export function subjectAlternativeNames(hosts: readonly string[]): Buffer {
  return certificateExtension('2.5.29.17', derSequence(...hosts.map((host) => encodeHost(host))));
}

/**
 * Permits this machine and the hosts (RFC 5280, section 4.2.1.10): both names and addresses, because a type that is not
 * listed would be unconstrained.
 */
export function nameConstraints(hosts: readonly string[]): Buffer {
  const addresses = hosts.filter((host) => isIP(host) !== 0 && !host.startsWith('127.'));
  const permitted = [
    encodeHost('127.0.0.0', Buffer.from([255, 0, 0, 0])),
    ...[...new Set(['localhost', ...hosts.filter((host) => isIP(host) === 0)])].map((name) =>
      encodeHost(name),
    ),
    ...[...new Set(['::1', ...addresses])].map((host) =>
      encodeHost(host, Buffer.alloc(isIPv4(host) ? 4 : 16, 0xff)),
    ),
  ];
  const subtrees = permitted.map((name) => derSequence(name));
  const value = derSequence(encodeDer(contextTag.around(0), ...subtrees));
  return certificateExtension('2.5.29.30', value, { isCritical: true });
}

export function subjectKeyId(key: KeyObject): Buffer {
  return certificateExtension('2.5.29.14', encodeDer(derTags.octetString, hashKey(key)));
}

export function authorityKeyId(key: KeyObject): Buffer {
  const id = encodeDer(contextTag.primitive(0), hashKey(key));
  return certificateExtension('2.5.29.35', derSequence(id));
}

/** @param address without a zone @returns 4 or 16 bytes */
export function toAddressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // URL canonicalizes the address to groups of hexadecimal digits.
  const { hostname } = new URL(`http://[${address}]`);
  const [before = [], after = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
}

/** RFC 5280, section 4.2.1.6. @param mask whether an address stands for a network, as in name constraints */
function encodeHost(host: string, mask?: Buffer): Buffer {
  if (isIP(host) === 0) return encodeDer(contextTag.primitive(2), Buffer.from(host.toLowerCase(), 'ascii'));
  return encodeDer(contextTag.primitive(7), toAddressBytes(host), mask ?? Buffer.alloc(0));
}

/** RFC 5280, section 4.2.1.2, method 1: hashes only the key's bits, the 65 bytes of a point on P-256. */
function hashKey(key: KeyObject): Buffer {
  const bits = key.export({ type: 'spki', format: 'der' }).subarray(-65);
  return createHash('sha1').update(bits).digest();
}

/** 126 random bits; RFC 5280, section 4.1.2.2, requires a positive number. */
function serialNumber(): Buffer {
  const [first = 0, ...others] = randomBytes(16);
  return derInteger((first & 0x7f) | 0x40, ...others);
}
