import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { proxiesName, serverFileName, sharedServersName } from '../../api/control/control.js';
import { type ServerFile, serverFileSchema } from '../../api/control/control-answers.js';
import { formatCommand } from '../../errors/advice.js';
import { ConfigError, describeFileError, readSystemCode } from '../../errors/errors.js';
import { showPath, whyNoHome } from '../../platform/home-directory.js';
import { readRegularFile } from '../../platform/regular-file.js';
import { describeOpen } from '../../profiles/file/permissions.js';
import { isRunning } from '../../terminal/process/process-system.js';
import { portOf } from '../../text/base-url.js';
import { tryParseJson } from '../../text/exact-json.js';

export function noServer(data: string, why = whyNoHome(data), cause?: unknown): ConfigError {
  const reason = why === undefined ? '' : `: ${why}`;
  return new ConfigError(`no running server found in ${showPath(data)}${reason}`, {
    ...{ hint: 'point to another one with --data DIR, or start one', next: ['orgctl', 'serve'] },
    cause,
  });
}

/** The file of the directory's own server, never of one on a shared database. @throws ConfigError */
export function readOwnerFile(data: string, platform: NodeJS.Platform): ServerFile {
  const path = join(data, serverFileName);
  try {
    return readServerFile(path, data, platform);
  } catch (error) {
    if (readSystemCode(error) !== 'ENOENT') throw error;
    const [other, ...more] = findSharedServers(data, platform);
    throw other === undefined ? noServer(data, undefined, error) : onlyShared(data, other, more);
  }
}

/** The file of the proxy on `port` or, without a port, of the only running one. @throws ConfigError */
export function readProxyFile(data: string, port: string | undefined, platform: NodeJS.Platform): ServerFile {
  const running = findFiles(data, proxiesName, platform);
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

/** Files of running servers whose data is in a shared database. */
export function findSharedServers(data: string, platform: NodeJS.Platform): readonly ServerFile[] {
  return findFiles(data, sharedServersName, platform);
}

/** Removes files of killed proxies; leaves all other files. */
export function removeAbandonedProxyFiles(data: string): void {
  const directory = join(data, proxiesName);
  for (const name of listFileNames(directory).filter((each) => /^\d{1,5}\.json$/.test(each))) {
    const path = join(directory, name);
    try {
      const file = serverFileSchema.safeParse(tryParseJson(readServerText(path)));
      if (file.success && !isRunning(file.data.pid)) rmSync(path, { force: true });
    } catch {
      // An abandoned file does no harm.
    }
  }
}

function findFiles(data: string, folder: string, platform: NodeJS.Platform): readonly ServerFile[] {
  const directory = join(data, folder);
  return listFileNames(directory).flatMap((name) => {
    try {
      return [readServerFile(join(directory, name), data, platform)];
    } catch {
      return [];
    }
  });
}

export function adviseChoosing({ control }: Pick<ServerFile, 'control'>, data: string | undefined): string {
  const place = data === undefined ? [] : ['--data', data];
  return formatCommand([`ORGCTL_CONTROL_URL=${control}`, 'orgctl', 'local', 'status', ...place]);
}

/** A server with a shared database only names the directory, which therefore does not select it. */
function onlyShared(data: string, first: ServerFile, more: readonly ServerFile[]): ConfigError {
  const all = [first, ...more].map(({ url, database = 'a shared database' }) => `${url} (${database})`);
  const servers =
    more.length === 0
      ? 'a server with a shared database runs'
      : `${all.length} servers with a shared database run`;
  return new ConfigError(`no server stores its data in ${data}, but ${servers}: ${all.join(', ')}`, {
    hint: `select ${more.length === 0 ? 'it' : 'one'} by its address: ${adviseChoosing(first, data)}`,
  });
}

function listFileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

/** @throws ConfigError, for example if the server has ended; ENOENT if there is no file */
function readServerFile(path: string, data: string, platform: NodeJS.Platform): ServerFile {
  const text = readServerText(path);
  const problem = describeOpen({ path, mode: '600' }, platform);
  if (problem !== undefined) throw new ConfigError(problem, { hint: 'then restart the server' });
  const file = serverFileSchema.safeParse(tryParseJson(text));
  if (!file.success) {
    throw new ConfigError(`${path} is not a server's file`, {
      hint: 'a running server restores it within a second; if none runs, start one',
      next: ['orgctl', 'serve', '--data', data],
    });
  }
  const { pid } = file.data;
  if (!isRunning(pid))
    throw noServer(data, `the server that wrote ${serverFileName} (pid ${pid}) is no longer running`);
  return file.data;
}

function readServerText(path: string): string {
  try {
    return readRegularFile(path).toString();
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT') throw error;
    throw new ConfigError(`${path} cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}
