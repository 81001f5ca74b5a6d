import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { controlPath } from '../../api/control/calls.js';
import { proxiesName, serverFileName } from '../../api/control/control.js';
import { type ServerFile, serverFileSchema } from '../../api/control/control-answers.js';
import type { Context } from '../../cli/context.js';
import type { ControlClient } from '../../client/control-client.js';
import {
  ConfigError,
  describeFileError,
  readSystemCode,
  ServiceError,
  UsageError,
} from '../../errors/errors.js';
import { chosenDataDirectory } from '../../input/data-flag.js';
import { showPath, whyNoHome } from '../../platform/home-directory.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { describeOpen } from '../../profiles/file/permissions.js';
import { isRunning } from '../../terminal/process/process-system.js';
import { isLoopback, portOf, withoutTrailingSlashes } from '../../text/base-url.js';
import { tryParseJson } from '../../text/exact-json.js';

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

/**
 * Finds a server by `--data`, else by ORGCTL_CONTROL_URL and ORGCTL_CONTROL_TOKEN, else in the standard data directory.
 * With `--proxy`, finds a proxy instead.
 * @throws UsageError for --profile or --base-url; ConfigError if it finds no running server
 */
export function findServer({ data, proxy }: ServerFlags, context: Context): FoundServer {
  const { env } = context.system;
  const isChosen = data !== undefined || proxy !== undefined;
  if (!isChosen) refuseProfile(context);
  const [url, token] = [env['ORGCTL_CONTROL_URL'], env['ORGCTL_CONTROL_TOKEN']];
  if (!isChosen && (url || token)) return serverOfVariables(url, token, context);
  const directory = chosenDataDirectory(data, context);
  const file =
    proxy === undefined
      ? readServerFile(join(directory, serverFileName), directory)
      : readProxyFile(directory, proxy === true ? undefined : proxy);
  const address = controlAddress(file.control, `a file in ${directory}`);
  return { address, token: file.token, caFile: file.caFile, left: { data: directory, file } };
}

/** A profile would be ignored, and the command would act on another server. */
function refuseProfile({ flags }: Context): void {
  const { profile, baseUrl } = flags();
  if (profile === undefined && baseUrl === undefined) return;
  const option = profile === undefined ? '--base-url' : '--profile';
  throw new UsageError(`${option} does not choose a server for orgctl local`, {
    hint: 'choose it by its data directory: --data DIR',
  });
}

function serverOfVariables(url: string | undefined, token: string | undefined, context: Context) {
  if (!url || !token) {
    const [set, unset] = url
      ? ['ORGCTL_CONTROL_URL', 'ORGCTL_CONTROL_TOKEN']
      : ['ORGCTL_CONTROL_TOKEN', 'ORGCTL_CONTROL_URL'];
    throw new ConfigError(`${set} is set without ${unset}`, {
      hint: `the ready line of the server has both; or unset ${set} and pass --data DIR`,
    });
  }
  const caFile = context.flags().caFile ?? (context.system.env['ORGCTL_CA_FILE'] || undefined);
  return { address: controlAddress(url, 'ORGCTL_CONTROL_URL'), token, caFile };
}

/** @throws ConfigError for an address on another machine, which must not get the token */
function controlAddress(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname)) {
    throw new ConfigError(
      `${source}: ${JSON.stringify(text)} is not the address of a server on this machine`,
      { hint: `for example https://127.0.0.1:8443${controlPath}` },
    );
  }
  // An address without a path stands for the control API there.
  url.pathname = withoutTrailingSlashes(url.pathname) || controlPath;
  return url;
}

export function noServer(data: string, why = whyNoHome(data), cause?: unknown): ConfigError {
  const reason = why === undefined ? '' : `: ${why}`;
  return new ConfigError(`no running server found in ${showPath(data)}${reason}`, {
    hint: 'point to another one with --data DIR, or start one',
    next: ['orgctl', 'serve'],
    cause,
  });
}

/** Process IDs and ports are reused, and directories copied, so the server must identify itself. @throws ConfigError */
export async function requireOwner(
  control: Pick<ControlClient, 'status'>,
  { address, left }: FoundServer,
): Promise<void> {
  if (left === undefined) return;
  const status = await control.status().catch((error: unknown) => {
    if (!(error instanceof ServiceError) || (error.details.status ?? 0) >= 500) throw error;
    throw noServer(left.data, `another server answers at ${address.origin}`, error);
  });
  if (status.pid !== left.file.pid || status.startedAt !== left.file.startedAt)
    throw noServer(left.data, `another server answers at ${address.origin}`);
  if (status.data !== undefined && realPath(status.data) !== realPath(left.data))
    throw noServer(left.data, `the server at ${address.origin} runs on ${status.data}`);
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** @throws ConfigError, for example if the server has ended */
function readServerFile(path: string, data: string): ServerFile {
  const text = readText(path);
  if (text === undefined) throw noServer(data);
  const problem = describeOpen(path, '600');
  if (problem !== undefined) throw new ConfigError(problem, { hint: 'then restart the server' });
  const file = serverFileSchema.safeParse(tryParseJson(text));
  if (!file.success) {
    throw new ConfigError(`${path} is not a server's file`, {
      hint: 'restart the server: it writes the file when it starts',
      next: ['orgctl', 'serve', '--data', data],
    });
  }
  const { pid } = file.data;
  if (!isRunning(pid))
    throw noServer(data, `the server that wrote ${serverFileName} (pid ${pid}) is no longer running`);
  return file.data;
}

/** @returns `undefined` if there is no such file */
function readText(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw new ConfigError(`${path} cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}

/** The file of the proxy on `port` or, without a port, of the only running one. */
function readProxyFile(data: string, port: string | undefined): ServerFile {
  const running = listProxyFiles(data).flatMap((path) => {
    try {
      return [readServerFile(path, data)];
    } catch {
      return [];
    }
  });
  const found = running.filter(({ url }) => port === undefined || String(portOf(new URL(url))) === port);
  const [file] = found;
  if (file !== undefined && found.length === 1) return file;
  const ports = running.map(({ url, upstream }) => `${portOf(new URL(url))} (${upstream})`).join(', ');
  if (file !== undefined) {
    throw new ConfigError(`${found.length} proxies are running on this machine`, {
      hint: `running: ${ports}; choose one with --proxy PORT`,
    });
  }
  const which =
    port === undefined ? 'no proxy with a console is running' : `no proxy is running on port ${port}`;
  throw new ConfigError(
    `${which} on this machine`,
    ports === '' ? { hint: 'start one', next: ['orgctl', 'proxy'] } : { hint: `running: ${ports}` },
  );
}

function listProxyFiles(data: string): readonly string[] {
  const directory = join(data, proxiesName);
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => /^\d{1,5}\.json$/.test(name));
  return names.map((name) => join(directory, name));
}

/** Removes files of killed proxies; leaves all other files. */
export function removeAbandonedProxyFiles(data: string): void {
  for (const path of listProxyFiles(data)) {
    try {
      const file = serverFileSchema.safeParse(tryParseJson(readText(path) ?? ''));
      if (file.success && !isRunning(file.data.pid)) rmSync(path, { force: true });
    } catch {
      // An abandoned file does no harm.
    }
  }
}
