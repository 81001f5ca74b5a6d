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
  readDerAt,
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

/** A certificate's subject, byte for byte: clients compare it with the issuer that other certificates name. */
export function readSubject(certificate: Buffer): Buffer {
  return readDerAt(certificate, [0, 0, 5]).whole;
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
  return certificateExtension('2.5.29.17', derSequence(...hosts.map(encodeHost)));
}

export function subjectKeyId(key: KeyObject): Buffer {
  return certificateExtension('2.5.29.14', encodeDer(derTags.octetString, hashKey(key)));
}

export function authorityKeyId(key: KeyObject): Buffer {
  const id = encodeDer(contextTag.primitive(0), hashKey(key));
  return certificateExtension('2.5.29.35', derSequence(id));
}

export const generalNames = { dns: contextTag.primitive(2), address: contextTag.primitive(7) } as const;

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

function encodeHost(host: string): Buffer {
  return isIP(host) === 0
    ? encodeDer(generalNames.dns, Buffer.from(host, 'ascii'))
    : encodeDer(generalNames.address, toAddressBytes(host));
}

/** RFC 5280, section 4.2.1.2, method 1: hashes only the key's bits. */
function hashKey(key: KeyObject): Buffer {
  const { content } = readDerAt(key.export({ type: 'spki', format: 'der' }), [0, 1]);
  return createHash('sha1').update(content.subarray(1)).digest();
}

/** 126 random bits; RFC 5280, section 4.1.2.2, requires a positive number. */
function serialNumber(): Buffer {
  const [first = 0, ...others] = randomBytes(16);
  return derInteger((first & 0x7f) | 0x40, ...others);
}
