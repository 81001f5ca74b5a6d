import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../contract/loopback.js';
import { ConfigError, messageOf } from '../errors.js';

export interface DispatcherOptions {
  /** Scheme, host and port that requests go to. */
  readonly origin: string;
  /** A PEM bundle that is trusted in addition to the system's roots. */
  readonly caFile?: string | undefined;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` and `NODE_EXTRA_CA_CERTS` are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The connections of one process to one service: TLS verified, through the environment's proxy except to loopback
 * hosts, which no proxy can reach.
 *
 * @throws ConfigError when the CA file cannot be read or holds no certificate
 */
export function openDispatcher({ origin, caFile, env }: DispatcherOptions): Dispatcher {
  const ca = caFile === undefined ? undefined : trustedRoots(caFile, env);
  const connect = ca === undefined ? {} : { ca };
  const proxy = isLoopback(new URL(origin).hostname) ? undefined : proxySettings(env);
  if (proxy === undefined) return new Agent({ connect });
  return new EnvHttpProxyAgent({ connect, requestTls: connect, ...proxy });
}

/** The proxy variables that are set, lower case first as curl has it; `undefined` when there is none. */
export function proxySettings(env: DispatcherOptions['env']) {
  const httpsProxy = env['https_proxy'] || env['HTTPS_PROXY'];
  const httpProxy = env['http_proxy'] || env['HTTP_PROXY'];
  if (!httpsProxy && !httpProxy) return undefined;
  return {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

// Giving `ca` replaces Node's own list and what NODE_EXTRA_CA_CERTS added to it, so both are given again.
function trustedRoots(caFile: string, env: DispatcherOptions['env']): string[] {
  const extra = env['NODE_EXTRA_CA_CERTS'];
  const roots = [...rootCertificates, readPem(caFile, '--ca-file')];
  return extra ? [...roots, readPem(extra, 'NODE_EXTRA_CA_CERTS')] : roots;
}

function readPem(path: string, source: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem;
  } catch (error) {
    throw new ConfigError(`the CA file ${path} cannot be read: ${messageOf(error)}`, {
      hint: `check the path given by ${source}`,
      cause: error,
    });
  }
  throw new ConfigError(`the CA file ${path} holds no PEM certificate`, {
    hint: `${source} takes a file with one or more "-----BEGIN CERTIFICATE-----" blocks`,
  });
}
