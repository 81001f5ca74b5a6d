import { lstat, rm } from 'node:fs/promises';
import { isResource } from '../../api/resources/resource.js';
import { describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { adviseWriting, refuseWriting } from '../../errors/write-failure.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { RunningServer } from '../../server/index.js';
import { parseJson } from '../../text/exact-json.js';
import { consoleKeysHint } from './console-keys.js';

/** The line that `-o json` prints when the server accepts requests; `keys` are the keys of a seed. */
export function readyLine(server: RunningServer, pid: number): string {
  const {
    url,
    caFile,
    keyId,
    secret,
    organization,
    data,
    controlToken,
    console: link,
    seededKeys: keys,
  } = server;
  const credential = { keyId, secret, organization };
  const steering = { controlToken, console: link };
  const ready = { event: 'ready', url, caFile, ...credential, pid, data, ...steering, keys };
  return `${JSON.stringify(ready)}\n`;
}

export interface KeyPlaces {
  readonly profile?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly showSecret?: boolean | undefined;
  readonly detached?: Readonly<Record<'log' | 'stop' | 'key', string>> | undefined;
}

/** @param canType whether the server obeys letters typed on its terminal */
export async function banner(server: RunningServer, places: KeyPlaces, canType: boolean): Promise<string> {
  const { dialect } = await server.control.status();
  const rows = [
    ['address', server.url],
    ['key ID', server.keyId],
    ...(places.showSecret ? [['secret', server.secret]] : []),
    ...(dialect === undefined ? [] : [['dialect', dialect]]),
    ['data', server.database ?? server.data ?? 'in memory, lost when the server stops'],
    ...(server.caFile === undefined ? [] : [['CA', server.caFile]]),
    ...(places.detached === undefined ? [] : [['log', places.detached.log]]),
  ];
  const lines = rows.map(([name, value]) => `  ${String(name).padEnd(8)} ${value}`);
  const link = server.console === undefined ? [] : ['', `Console: ${server.console}`];
  const keys = link.length > 0 && canType ? [consoleKeysHint] : [];
  const end = ['', next(places), `${places.detached?.stop ?? 'Ctrl-C'} stops it.`];
  return `${['orgctl serve is ready.', ...lines, ...link, ...keys, ...end].join('\n')}\n`;
}

function next({ profile, readyFile, showSecret, detached }: KeyPlaces): string {
  if (profile !== undefined) return `In another terminal: orgctl quotas --profile ${profile}`;
  if (readyFile !== undefined) return `The secret is in ${readyFile}.`;
  if (showSecret) return 'For other programs, set ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET.';
  if (detached !== undefined) return `${detached.key} shows the secret.`;
  return [
    "This server's secret is not displayed. Restart with one of:",
    '  --show-secret         the secret in this banner',
    '  --save-profile NAME   then, in another terminal: orgctl quotas --profile NAME',
    '  --ready-file PATH     the secret in a file, for programs',
    '  -- COMMAND            the command finds everything in its environment',
  ].join('\n');
}

/**
 * Writes a private file. @returns a function that removes it, unless it has other content by then
 * @throws as `assertReadyFile` does
 */
export async function writeReadyFile(path: string, line: string): Promise<() => Promise<void>> {
  const { replacePrivately } = await import('../../platform/durable-file.js');
  await assertReadyFile(path);
  await replacePrivately(path, line).catch((error: unknown) => {
    throw refuseReadyFile(path, error);
  });
  return async () => {
    if (readReadyFile(path) === line) await rm(path, { force: true });
  };
}

/** A server that was killed leaves its ready file behind. @throws UsageError for a path that has anything else */
export async function assertReadyFile(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw refuseReadyFile(path, error);
  });
  if (found === undefined || (found.isFile() && isReadyLine(readReadyFile(path)))) return;
  throw new UsageError(`--ready-file ${path} already exists, and is not a ready file`, {
    hint: 'choose another path, or remove it first',
  });
}

function isReadyLine(text: string | undefined): boolean {
  if (text === undefined || text === '') return text === '';
  try {
    const line = parseJson(text);
    return isResource(line) && line['event'] === 'ready';
  } catch {
    return false;
  }
}

function refuseReadyFile(path: string, cause: unknown): Error {
  return refuseWriting(`--ready-file ${path}: ${describeFileError(cause)}`, {
    ...adviseWriting(cause),
    cause,
  });
}

const maxReadyFile = 16 * 1024 * 1024;

/** An unreadable file counts as another server's. */
function readReadyFile(path: string): string | undefined {
  try {
    return readRegularFile(path, maxReadyFile).toString();
  } catch {
    return undefined;
  }
}
