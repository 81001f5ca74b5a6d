import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { ConfigError, describeFileError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { ConnectionUrl } from './connection-url.js';

export type Encryption = ConnectionOptions | false;

/** Settings to try for an `sslmode`, in libpq's order. @throws ConfigError for unusable TLS parameters */
export async function encryptions(url: ConnectionUrl): Promise<readonly Encryption[]> {
  const mode = url.parameters.get('sslmode') ?? 'prefer';
  if (url.host.startsWith('/')) return [false];
  const client = await clientCertificate(url.parameters);
  const unverified = { ...client, rejectUnauthorized: false };
  const root = url.parameters.get('sslrootcert');
  switch (mode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, unverified];
    case 'prefer':
      return [unverified, false];
    case 'require':
      return root === undefined ? [unverified] : [{ ...(await verifyServer(root, mode)), ...client }];
    case 'verify-ca':
      return [{ ...(await verifyServer(root, mode)), ...client }];
    case 'verify-full':
      return [{ ...(await verifyServer(root, mode)), ...client, ...verifyName(url.host) }];
    default:
      throw new ConfigError("the sslmode in the database's URL is unknown", {
        hint: 'use disable, allow, prefer, require, verify-ca or verify-full',
      });
  }
}

async function verifyServer(root: string | undefined, mode: string): Promise<ConnectionOptions> {
  if (root === undefined) {
    throw new ConfigError(`sslmode=${mode} needs a CA to trust`, {
      hint: 'add sslrootcert=FILE to the URL, or sslrootcert=system for the CAs that Node.js trusts',
    });
  }
  const ca = root === 'system' ? undefined : await readCertificate('sslrootcert', root);
  return { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined };
}

// The driver does not tell Node.js the host, so Node.js would check for "localhost".
function verifyName(host: string): ConnectionOptions {
  return { checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate) };
}

async function clientCertificate(parameters: ReadonlyMap<string, string>): Promise<ConnectionOptions> {
  const [cert, key] = [parameters.get('sslcert'), parameters.get('sslkey')];
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) {
    throw new ConfigError("the database's URL must have both sslcert and sslkey, or neither");
  }
  return { cert: await readCertificate('sslcert', cert), key: await readCertificate('sslkey', key) };
}

async function readCertificate(parameter: string, path: string): Promise<string> {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    throw new ConfigError(`${parameter} in the database's URL: ${path}: ${describeFileError(error)}`, {
      cause: error,
    });
  }
}
