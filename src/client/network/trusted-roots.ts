import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import tls from 'node:tls';
import { systemStore } from '../../api/option-values.js';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';

type RootsEnvironment = Readonly<Record<string, string | undefined>>;

/** Set explicitly, because environment variables change Node's defaults. */
export const verifiedTls = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

const { minVersion } = verifiedTls;

/**
 * Reads the certificates; the returned function makes the context, which takes longer than a handshake.
 * @param caFile a PEM bundle to trust in addition to Node's roots, or `system`: the operating system's store, and
 * `SSL_CERT_FILE`
 * @throws ConfigError for an unusable file or store
 */
export function readTrust(caFile: string | undefined, env: RootsEnvironment): () => tls.SecureContext {
  if (caFile === undefined) return () => tls.createSecureContext({ minVersion });
  const named = (variable: string) => (env[variable] ? [readPems(env[variable], variable)] : []);
  const pems =
    caFile === systemStore
      ? [...systemPems(), ...named('SSL_CERT_FILE')]
      : [readPems(caFile, 'the CA file', true)];
  if (pems.length === 0) {
    throw new ConfigError("the operating system's CA store was not found", {
      hint: `use Node.js 22.15 or later, which looks in more places, or name a CA file, also with SSL_CERT_FILE (looked for: ${bundles.join(', ')})`,
    });
  }
  // Node.js ignores NODE_EXTRA_CA_CERTS when roots are replaced or, in Node.js 20, added.
  const all = [...pems, ...named('NODE_EXTRA_CA_CERTS')];
  return () => {
    const roots = () => listedByNode('default') ?? tls.rootCertificates;
    return addToDefaultContext(all) ?? tls.createSecureContext({ ca: [...roots(), ...all], minVersion });
  };
}

/** Adds roots by an internal method, if there is one: `ca` replaces Node's roots, and passing them again is slow. */
function addToDefaultContext(pems: readonly string[]): tls.SecureContext | undefined {
  const context = tls.createSecureContext({ minVersion });
  const native: unknown = context.context;
  if (typeof native !== 'object' || native === null) return undefined;
  if (!('addCACert' in native) || typeof native.addCACert !== 'function') return undefined;
  for (const pem of pems) native.addCACert(pem);
  return context;
}

function listedByNode(kind: 'default' | 'system'): string[] | undefined {
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function') return undefined;
  return [tls.getCACertificates(kind)].flat().map(String);
}

/** CA bundles of Debian, Fedora, openSUSE, and Alpine or macOS. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Prefers a bundle to Node's list, which is slower to read, except on Windows and macOS. */
function systemPems(): string[] {
  const bundle = bundles.find((path) => existsSync(path));
  const isListed = bundle === undefined || ['win32', 'darwin'].includes(platform());
  const listed = isListed ? listedByNode('system') : undefined;
  return listed ?? (bundle === undefined ? [] : [readPems(bundle, systemStore)]);
}

/**
 * A file's certificates, each beginning on a new line, because Node skips others.
 * @param isOwn whether to parse each, because Node silently skips an invalid one and all after it
 */
function readPems(path: string, source: string, isOwn = false): string {
  try {
    const text = readRegularFile(path).toString();
    const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]*(?:-----END CERTIFICATE-----)?/g) ?? [];
    if (isOwn && pems.length === 0) throw new Error('it has no "-----BEGIN CERTIFICATE-----"');
    if (isOwn) for (const pem of pems) new X509Certificate(pem);
    return pems.join('\n');
  } catch (error) {
    throw new ConfigError(`the CA file ${path} cannot be read: ${describeFileError(error)}`, {
      hint: `check ${source}`,
      cause: error,
    });
  }
}
