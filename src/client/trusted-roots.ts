import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';
import { z } from '../contract/schema.js';
import { ConfigError, messageOf } from '../errors.js';

/**
 * A TLS context that trusts a PEM bundle in addition to what Node trusts by itself. Made once for all connections:
 * parsing the roots takes as long as a handshake.
 *
 * @throws ConfigError when a file cannot be read or holds no certificate
 */
export function trustingContext(
  caFile: string,
  env: Readonly<Record<string, string | undefined>>,
): tls.SecureContext {
  // Giving `ca` replaces Node's own list and what NODE_EXTRA_CA_CERTS added to it, so both are given again.
  const extra = env['NODE_EXTRA_CA_CERTS'];
  const files = [readPem(caFile, '--ca-file'), ...(extra ? [readPem(extra, 'NODE_EXTRA_CA_CERTS')] : [])];
  return tls.createSecureContext({ ca: [...defaultRoots(), ...files] });
}

/** Node's own roots; from Node 22.15 on those of the system too, where the user has it trust them. */
function defaultRoots(): readonly string[] {
  if (!('getCACertificates' in tls) || typeof tls.getCACertificates !== 'function')
    return tls.rootCertificates;
  return z.parse(z.array(z.string()), tls.getCACertificates('default'));
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
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`the CA file ${path} cannot be read: ${messageOf(error)}`, {
      hint: `check the path given by ${source}`,
      cause: error,
    });
  }
}
