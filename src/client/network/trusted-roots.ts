import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import tls from 'node:tls';
import { systemStore } from '../../api/option-values.js';
import { z } from '../../api/schema/schema.js';
import { ConfigError, describeFileError, readMessage } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';

type RootsEnvironment = Readonly<Record<string, string | undefined>>;

/** Explicit, because `NODE_TLS_REJECT_UNAUTHORIZED` and `NODE_OPTIONS=--tls-min-v1.0` change Node's defaults. */
export const verifiedTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

/**
 * Reads the certificates immediately. The returned function creates the context: that takes longer than a handshake.
 * @param caFile a PEM bundle to trust in addition to Node's roots, or `system`: the operating system's store, and
 * `SSL_CERT_FILE`; `undefined` for Node's default
 * @throws ConfigError for an unusable file, or if the operating system's store is not found
 */
export function readTrust(caFile: string | undefined, env: RootsEnvironment): () => tls.SecureContext {
  if (caFile === undefined) return () => tls.createSecureContext({ minVersion: verifiedTls.minVersion });
  // Node.js ignores NODE_EXTRA_CA_CERTS when roots are replaced; Node.js 20, also when roots are added.
  const extra = env['NODE_EXTRA_CA_CERTS'];
  const files = [
    ...(caFile === systemStore ? systemPems(env) : [readPems(caFile, 'the CA file', true)]),
    ...(extra ? [readPems(extra, 'NODE_EXTRA_CA_CERTS', false)] : []),
  ];
  return () => addToDefaultContext(files) ?? contextOfAllRoots(files);
}

/**
 * Uses an internal method to add certificates to Node's roots, because the option `ca` replaces the roots, and passing
 * Node's roots again is slow.
 * @returns `undefined` in versions of Node.js without that method
 */
export function addToDefaultContext(pems: readonly string[]): tls.SecureContext | undefined {
  const context = tls.createSecureContext({ minVersion: verifiedTls.minVersion });
  const native: unknown = context.context;
  if (typeof native !== 'object' || native === null) return undefined;
  if (!('addCACert' in native) || typeof native.addCACert !== 'function') return undefined;
  for (const pem of pems) native.addCACert(pem);
  return context;
}

/** Slower than `addToDefaultContext`, because it parses Node's roots again, but works in every version of Node.js. */
export function contextOfAllRoots(pems: readonly string[]): tls.SecureContext {
  return tls.createSecureContext({ ca: [...defaultRoots(), ...pems], minVersion: verifiedTls.minVersion });
}

/** Since Node.js 22.15, includes the system's roots if the user made Node.js trust them. */
function defaultRoots(): readonly string[] {
  return listedByNode('default') ?? tls.rootCertificates;
}

function listedByNode(kind: 'default' | 'system'): string[] | undefined {
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function') return undefined;
  return z.parse(z.array(z.string()), tls.getCACertificates(kind));
}

/** The system's CA bundles on Debian, Fedora, openSUSE, and Alpine or macOS, in this order. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The system's certificates and those in `SSL_CERT_FILE`. @throws ConfigError for an unusable file, or for none */
export function systemPems(env: RootsEnvironment, paths: readonly string[] = bundles): string[] {
  const named = env['SSL_CERT_FILE'];
  const pems = [...storePems(paths), ...(named ? [readPems(named, 'SSL_CERT_FILE', false)] : [])];
  if (pems.length > 0) return pems;
  throw new ConfigError("the operating system's CA store was not found", {
    hint: `use Node.js 22.15 or later, which looks in more places, or name a CA file, also with SSL_CERT_FILE (looked for: ${paths.join(', ')})`,
  });
}

/** Except on Windows and macOS, prefers a bundle (unchecked), because reading it is faster than Node's list. */
function storePems(paths: readonly string[]): string[] {
  const isInFile = !['win32', 'darwin'].includes(platform());
  const listed = isInFile ? undefined : listedByNode('system');
  if (listed !== undefined) return listed;
  const bundle = paths.find((path) => existsSync(path));
  return bundle === undefined ? (listedByNode('system') ?? []) : [readRootsFile(bundle, systemStore)];
}

const certificateStart = '-----BEGIN CERTIFICATE-----';

/**
 * Reads a file's certificates, each on a new line, because Node would skip one that does not begin a line.
 * @param isChecked whether each is parsed: Node silently skips an invalid one and everything after it. Not for bundles
 * that other programs use, too, because they are large.
 */
function readPems(path: string, source: string, isChecked: boolean): string {
  const [, ...blocks] = readRootsFile(path, source).split(certificateStart);
  const certificates = blocks.map((block) => `${certificateStart}${block}`);
  try {
    if (certificates.length === 0) throw new Error(`it has no "${certificateStart}"`);
    if (isChecked) for (const certificate of certificates) new X509Certificate(certificate);
    return certificates.join('\n');
  } catch (error) {
    throw new ConfigError(`the CA file ${path} does not contain PEM certificates: ${readMessage(error)}`, {
      hint: `${source} needs one or more "${certificateStart}" blocks`,
      cause: error,
    });
  }
}

function readRootsFile(path: string, source: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    throw new ConfigError(`the CA file ${path} cannot be read: ${describeFileError(error)}`, {
      hint: `check ${source}`,
      cause: error,
    });
  }
}
