import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import * as tls from 'node:tls';
import { systemStore } from '../contract/option-values.js';
import { z } from '../contract/schema.js';
import { ConfigError, fileMessageOf, messageOf } from '../errors.js';
import { readRegularFile } from '../files/regular-file.js';

/**
 * What every TLS connection of the client is opened with: stated explicitly, because the environment can change Node's
 * defaults (`NODE_TLS_REJECT_UNAUTHORIZED`, `NODE_OPTIONS=--tls-min-v1.0`).
 */
export const verified = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

/**
 * A TLS context that trusts PEM bundles in addition to what Node trusts by itself. Made once for all connections:
 * making it takes longer than a handshake.
 *
 * @param caFile a path, or the word `system`: the operating system's store, and `SSL_CERT_FILE`
 * @throws ConfigError when a file cannot be read or holds no certificate, or there is no such store
 */
export function trustingContext(
  caFile: string,
  env: Readonly<Record<string, string | undefined>>,
): tls.SecureContext {
  // What Node itself has read of it is lost on Node 20 by adding to the roots, and everywhere by replacing them.
  const extra = env['NODE_EXTRA_CA_CERTS'];
  const files = [
    ...(caFile === systemStore ? systemPems(env) : [readPem(caFile, '--ca-file')]),
    ...(extra ? [readPem(extra, 'NODE_EXTRA_CA_CERTS')] : []),
  ];
  return (
    addToDefaultContext(files) ??
    tls.createSecureContext({ ca: [...defaultRoots(), ...files], minVersion: verified.minVersion })
  );
}

/**
 * Adds to a context that has Node's own roots already. Node documents no way to do so but the option `ca`, which
 * replaces them: they have to be given again as text, and parsing 140 of them takes three times as long (109 ms, not
 * 37, where `node -e 0` takes 45). So this asks for the method that the option itself ends in.
 *
 * @returns `undefined` on a Node that has no such method
 */
export function addToDefaultContext(pems: readonly string[]): tls.SecureContext | undefined {
  const context = tls.createSecureContext({ minVersion: verified.minVersion });
  const native: unknown = context.context;
  if (typeof native !== 'object' || native === null) return undefined;
  if (!('addCACert' in native) || typeof native.addCACert !== 'function') return undefined;
  for (const pem of pems) native.addCACert(pem);
  return context;
}

/** Node's own roots; from Node 22.15 on those of the system too, where the user has it trust them. */
function defaultRoots(): readonly string[] {
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function')
    return tls.rootCertificates;
  return z.parse(z.array(z.string()), tls.getCACertificates('default'));
}

/** Where Debian, Fedora, openSUSE, and Alpine or macOS keep the store as one file. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

function systemPems(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = env['SSL_CERT_FILE'];
  const pems = [...storePems(), ...(named ? [readPem(named, 'SSL_CERT_FILE')] : [])];
  if (pems.length > 0) return pems;
  throw new ConfigError("the operating system's store of CAs was not found", {
    hint: `Node.js 22.15 and later know it on every system; or name a file of CAs: --ca-file ca.pem, or SSL_CERT_FILE (looked for: ${bundles.join(', ')})`,
  });
}

/** A file where there is one, which takes less time than Node's list; what is in it is the system's own business. */
function storePems(): string[] {
  const bundle = ['win32', 'darwin'].includes(platform())
    ? undefined
    : bundles.find((path) => existsSync(path));
  if (bundle !== undefined) return [readFile(bundle, systemStore)];
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function') {
    return bundles.filter((path) => existsSync(path)).map((path) => readFile(path, systemStore));
  }
  return z.parse(z.array(z.string()), tls.getCACertificates('system'));
}

const certificateStart = '-----BEGIN CERTIFICATE-----';

// Node itself passes over what it cannot read, and what comes after it.
function readPem(path: string, source: string): string {
  const pem = readFile(path, source);
  const [, ...blocks] = pem.split(certificateStart);
  try {
    if (blocks.length === 0) throw new Error(`it has no "${certificateStart}"`);
    for (const block of blocks) new X509Certificate(`${certificateStart}${block}`);
    return pem;
  } catch (error) {
    throw new ConfigError(`the CA file ${path} is not one of PEM certificates: ${messageOf(error)}`, {
      hint: `${source} takes a file with one or more "${certificateStart}" blocks`,
      cause: error,
    });
  }
}

function readFile(path: string, source: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    throw new ConfigError(`the CA file ${path} cannot be read: ${fileMessageOf(error)}`, {
      hint:
        source === '--ca-file'
          ? 'orgctl whoami shows where the path comes from; --ca-file names another'
          : `check the path given by ${source}`,
      cause: error,
    });
  }
}
