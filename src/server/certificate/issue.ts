import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

const oneDay = 24 * 60 * 60 * 1000;

/** Days; Apple's systems refuse more. */
const validity = 825;

/** Object ID 1.2.840.10045.4.3.2. */
const ecdsaWithSha256 = '2a8648ce3d040302';

/** Creates a certificate and an authority for these hosts and this machine only. The authority's key is thrown away. */
export function issueCertificates(now: Date, hosts: readonly string[]) {
  const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [authority, server] = [newKeys(), newKeys()];
  // A random name: clients may trust several authorities.
  const issuer = commonName(`orgctl local CA ${randomBytes(4).toString('hex')}`);
  // For clients whose clock is behind.
  const notBefore = new Date(now.getTime() - oneDay);
  const notAfter = new Date(notBefore.getTime() + validity * oneDay);
  const write = (subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]) =>
    writeCertificate({ subject, issuer, notBefore, notAfter, publicKey, extensions }, authority.privateKey);
  return {
    ca: write(issuer, authority.publicKey, [
      basicConstraints(true),
      // May sign certificates and revocation lists.
      certificateExtension(15, bitString(Uint8Array.of(0x06), 1), true),
      certificateExtension(14, der(0x04, hashKey(authority.publicKey))),
      nameConstraints(hosts),
    ]),
    cert: write(commonName('orgctl serve'), server.publicKey, [
      basicConstraints(false),
      // May sign data.
      certificateExtension(15, bitString(Uint8Array.of(0x80), 7), true),
      extendedUsage('server'),
      subjectAlternativeNames(hosts),
      certificateExtension(14, der(0x04, hashKey(server.publicKey))),
      certificateExtension(35, sequence(der(0x80, hashKey(authority.publicKey)))),
    ]),
    key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface CertificateContent {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

/** An X.509 certificate (RFC 5280) in PEM. @param key the issuer's private key for ECDSA */
export function writeCertificate(
  { subject, issuer, notBefore, notAfter, publicKey, extensions }: CertificateContent,
  key: KeyObject,
): string {
  const algorithm = sequence(objectId(ecdsaWithSha256));
  // A positive number of at most 20 bytes (RFC 5280, section 4.1.2.2).
  const [first = 0, ...others] = randomBytes(16);
  const toSign = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of((first & 0x7f) | 0x40, ...others)),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const certificate = sequence(toSign, algorithm, bitString(sign('sha256', toSign, key)));
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

export function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))));
}

/** @param number the last part of the object ID `2.5.29.number` */
function certificateExtension(number: number, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(0x01, Uint8Array.of(0xff))] : [];
  return sequence(der(0x06, Uint8Array.of(0x55, 0x1d, number)), ...critical, der(0x04, value));
}

/** Authorities may not sign further authorities. */
export function basicConstraints(authority: boolean): Buffer {
  const value = authority ? [der(0x01, Uint8Array.of(0xff)), der(0x02, Uint8Array.of(0))] : [];
  return certificateExtension(19, sequence(...value), true);
}

export function extendedUsage(by: 'server' | 'client'): Buffer {
  return certificateExtension(37, sequence(objectId(`2b060105050703${by === 'server' ? '01' : '02'}`)));
}

export function subjectAlternativeNames(hosts: readonly string[]): Buffer {
  return certificateExtension(17, sequence(...hosts.map((host) => encodeHost(host))));
}

/** Permits this machine and the hosts, both names and addresses: a type that is not listed would be unconstrained. */
function nameConstraints(hosts: readonly string[]): Buffer {
  const others = new Set(['localhost', '::1', ...hosts.filter((host) => !host.startsWith('127.'))]);
  const permitted = [
    encodeHost('127.0.0.0', Buffer.from([255, 0, 0, 0])),
    ...[...others].map((host) => encodeHost(host, Buffer.alloc(isIPv4(host) ? 4 : 16, 0xff))),
  ];
  const value = sequence(der(0xa0, ...permitted.map((name) => sequence(name))));
  return certificateExtension(30, value, true);
}

/** Hashes only the key's bits, the 65 bytes of a point on P-256 (RFC 5280, section 4.2.1.2). */
function hashKey(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }).subarray(-65))
    .digest();
}

/** @param mask the network mask of a name constraint */
function encodeHost(host: string, mask = Buffer.alloc(0)): Buffer {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host.toLowerCase(), 'ascii'));
  if (isIPv4(host)) return der(0x87, Buffer.from(host.split('.').map(Number)), mask);
  // `::` stands for the groups of zeros that are missing.
  const halves = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const [start = '', end = ''] = halves.map((half) => half.replaceAll(/(\w+):?/g, toFourDigits));
  return der(0x87, Buffer.from(start + end.padStart(32 - start.length, '0'), 'hex'), mask);
}

function toFourDigits(_group: string, digits: string): string {
  return digits.padStart(4, '0');
}

/** Encodes in DER (ITU-T X.690). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...items: readonly Uint8Array[]): Buffer {
  return der(0x30, ...items);
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

/** @param unused number of unused bits in the last byte */
function bitString(content: Uint8Array, unused = 0): Buffer {
  return der(0x03, Uint8Array.of(unused), content);
}

/** Before 2050, the year has two digits. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '');
  const isShort = date.getUTCFullYear() < 2050;
  return der(isShort ? 0x17 : 0x18, Buffer.from(digits.slice(isShort ? 2 : 0)));
}
