import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { controlPath } from '../../api/control/calls.js';
import {
  proxiesName,
  type ServerFile,
  serverFileName,
  serverFileSchema,
} from '../../api/control/server-file.js';
import type { Context } from '../../cli/context.js';
import type { ControlClient } from '../../client/control-client.js';
import { ConfigError, ServiceError, UsageError } from '../../errors/errors.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { isRunning } from '../../terminal/process/system.js';
import { isLoopback, withoutTrailingSlashes } from '../../text/base-url.js';
import { tryParseJson } from '../../text/exact-json.js';
import { chosenDataDirectory } from '../serve/options.js';

export interface ServerFlags {
  readonly data?: string | undefined;
  readonly proxy?: string | true | undefined;
}

export interface FoundServer {
  readonly address: URL;
  readonly token: string;
  readonly caFile: string | undefined;
  /** The data directory and the server's file in it; absent if variables name the server. */
  readonly left?: { readonly data: string; readonly file: ServerFile };
}

/** Finds a server by `--data`, else by ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN, else in the standard data directory. */
export function findServer({ data, proxy }: ServerFlags, context: Context): FoundServer {
  const { ORGCTL_CONTROL_URL: url, ORGCTL_CONTROL_TOKEN: token, ORGCTL_CA_FILE: ca } = context.system.env;
  const { profile, baseUrl, caFile } = context.flags();
  if (data === undefined && proxy === undefined) {
    // A profile or base URL would be ignored, and the command would act on another server.
    if ((profile ?? baseUrl) !== undefined) {
      const hint = 'choose it by its data directory: --data DIR';
      throw new UsageError('--profile and --base-url do not choose a server for orgctl local', { hint });
    }
    if (url && token) {
      const address = controlAddress(url, 'ORGCTL_CONTROL_URL');
      return { address, token, caFile: caFile ?? (ca || undefined) };
    }
    if (url || token) {
      const hint = 'use url and controlToken of the ready line, or unset both and pass --data DIR';
      throw new ConfigError('ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN must be set together', { hint });
    }
  }
  const directory = chosenDataDirectory(data, context);
  const file = proxy === undefined ? readServerFile(directory) : findProxyFile(directory, proxy);
  const address = controlAddress(file.control, `a file in ${directory}`);
  return { address, token: file.token, caFile: file.caFile, left: { data: directory, file } };
}

/** @throws ConfigError for an address on another machine, which must not get the token */
function controlAddress(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    const what = `${source}: ${JSON.stringify(text)} is not the address of a server on this machine`;
    throw new ConfigError(what, { hint: `for example https://127.0.0.1:8443${controlPath}` });
  }
  // The ready line's URL has no path, or that of a dialect.
  const path = withoutTrailingSlashes(url.pathname);
  url.pathname = path.endsWith(controlPath) ? path : controlPath;
  return url;
}

export function noServer(data: string, why?: string, cause?: unknown): ConfigError {
  const reason = why === undefined ? '' : `: ${why}`;
  return new ConfigError(`no running server found in ${data}${reason}`, {
    hint: 'point to another one with --data DIR, or start one',
    next: ['orgctl', 'serve'],
    cause,
  });
}

/** Process IDs and ports are reused, and directories copied, so the server must identify itself. @throws ConfigError */
export async function requireOwner(control: ControlClient, { address, left }: FoundServer): Promise<void> {
  if (left === undefined) return;
  const other = (cause?: unknown) =>
    noServer(left.data, `another server answers at ${address.origin}`, cause);
  const status = await control.call('status.get').catch((error: unknown) => {
    throw error instanceof ServiceError && (error.details.status ?? 0) < 500 ? other(error) : error;
  });
  const { pid, startedAt } = left.file;
  const isElsewhere = status.data !== undefined && realPath(status.data) !== realPath(left.data);
  if (status.pid !== pid || status.startedAt !== startedAt || isElsewhere) throw other();
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function readServerFile(data: string): ServerFile {
  const file = parseServerFile(join(data, serverFileName));
  if (file !== undefined && isRunning(file.pid)) return file;
  throw noServer(data);
}

function parseServerFile(path: string): ServerFile | undefined {
  try {
    return serverFileSchema.safeParse(tryParseJson(readRegularFile(path).toString())).data;
  } catch {
    return undefined;
  }
}

/** The file of the proxy on `port` or, without a port, of the only running one. */
function findProxyFile(data: string, port: string | true): ServerFile {
  const directory = join(data, proxiesName);
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const running = names
    .filter((name) => (port === true ? name.endsWith('.json') : name === `${port}.json`))
    .map((name) => parseServerFile(join(directory, name)))
    .filter((file) => file !== undefined)
    .filter(({ pid }) => isRunning(pid));
  const [file, ...others] = running;
  if (file === undefined)
    throw new ConfigError(`no proxy with a console is running${port === true ? '' : ` on port ${port}`}`);
  if (others.length === 0) return file;
  const hint = `choose one with --proxy PORT: ${running.map(({ url }) => url).join(', ')}`;
  throw new ConfigError('several proxies are running', { hint });
}
