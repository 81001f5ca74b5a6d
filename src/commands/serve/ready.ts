import { lstat, rm } from 'node:fs/promises';
import { isResource } from '../../api/resources/resource.js';
import { describeFileError, readSystemCode, UsageError } from '../../errors/errors.js';
import { adviseWriting, refuseWriting } from '../../errors/write-failure.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { readRegularFile } from '../../platform/regular-file.js';
import type { RunningServer } from '../../server/index.js';
import { tryParseJson } from '../../text/exact-json.js';

/** The line that `-o json` prints when the server accepts requests; `keys` are the keys of a seed. */
export function readyLine(server: RunningServer, pid: number): string {
  const { url, caFile, keyId, secret, organization, data, controlToken, seededKeys: keys } = server;
  const ready = { event: 'ready', url, caFile, keyId, secret, organization, pid, data, controlToken };
  return `${JSON.stringify({ ...ready, console: server.console, keys })}\n`;
}

/** Where users find the key, and how they stop the server. */
export interface Places {
  readonly profile?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly showSecret?: boolean | undefined;
  /** For a server in the background: its log, and the commands that control it. */
  readonly detached?: Readonly<Record<'log' | 'stop' | 'key', string>> | undefined;
}

export async function banner(server: RunningServer, places: Places): Promise<string> {
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
  return [
    'orgctl serve is ready.',
    ...rows.map(([name, value]) => `  ${String(name).padEnd(8)} ${value}`),
    ...(server.console === undefined ? [] : ['', `Console: ${server.console}`]),
    '',
    nextStep(places),
    `${places.detached?.stop ?? 'Ctrl-C'} stops it.\n`,
  ].join('\n');
}

function nextStep({ profile, readyFile, showSecret, detached }: Places): string {
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

/** Writes a private file. @returns a function that removes it, unless it has other content by then */
export async function writeReadyFile(path: string, line: string): Promise<() => Promise<void>> {
  await assertReadyFile(path);
  await replacePrivately(path, line).catch((error: unknown) => {
    throw refuseReadyFile(path, error);
  });
  return async () => {
    if (readText(path) === line) await rm(path, { force: true });
  };
}

/** A server that was killed leaves its ready file behind. @throws UsageError for a path that has anything else */
export async function assertReadyFile(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (readSystemCode(error) === 'ENOENT') return undefined;
    throw refuseReadyFile(path, error);
  });
  if (found === undefined) return;
  const text = found.isFile() ? readText(path) : undefined;
  const left = tryParseJson(text ?? '');
  if (text === '' || (isResource(left) && left['event'] === 'ready')) return;
  throw new UsageError(`--ready-file ${path} already exists, and is not a ready file`, {
    hint: 'choose another path, or remove it first',
  });
}

function refuseReadyFile(path: string, cause: unknown): Error {
  const message = `--ready-file ${path}: ${describeFileError(cause)}`;
  return refuseWriting(message, { ...adviseWriting(cause), cause });
}

/** Bytes; a seed may have many keys. */
const maxReadyFile = 16 * 1024 * 1024;

/** An unreadable file counts as another server's. */
function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, maxReadyFile).toString();
  } catch {
    return undefined;
  }
}
