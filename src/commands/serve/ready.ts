import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isResource } from '../../api/resources/resource.js';
import { describeFileError, refuseWriting, UsageError } from '../../errors/errors.js';
import { replacePrivately } from '../../platform/durable-file.js';
import { readRegularFile, whyKept } from '../../platform/regular-file.js';
import type { RunningServer } from '../../server/index.js';
import { isRunning } from '../../terminal/process/system.js';
import { tryParseJson } from '../../text/exact-json.js';

/** The line that `-o json` prints when the server accepts requests; `keys` are the keys of a seed. */
export function readyLine(server: RunningServer, pid: number): string {
  const { url, caFile, keyId, secret, organization, data, controlToken, seededKeys: keys } = server;
  const ready = { event: 'ready', url, caFile, keyId, secret, organization, pid, data, controlToken };
  return `${JSON.stringify({ ...ready, console: server.console, keys })}\n`;
}

export interface Places {
  readonly profile?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly showSecret?: boolean | undefined;
}

export function banner(server: RunningServer, places: Places): string {
  const rows = [
    ['address', server.url],
    ['key ID', server.keyId],
    ['secret', places.showSecret ? server.secret : undefined],
    ['data', server.database ?? server.data ?? 'in memory, lost when the server stops'],
    ['CA', server.caFile],
  ].filter(([, value]) => value !== undefined);
  return [
    'orgctl serve is ready.',
    ...rows.map(([name, value]) => `  ${String(name).padEnd(8)} ${value}`),
    ...(server.console === undefined ? [] : ['', `Console: ${server.console}`]),
    '',
    nextStep(places),
    'Ctrl-C stops it.\n',
  ].join('\n');
}

function nextStep({ profile, readyFile, showSecret }: Places): string {
  if (profile !== undefined) return `In another terminal: orgctl quotas --profile ${profile}`;
  if (readyFile !== undefined) return `The secret is in ${readyFile}.`;
  if (showSecret) return 'For other programs, set ORGCTL_BASE_URL, ORGCTL_KEY_ID and ORGCTL_SECRET.';
  return "To use this server's secret, restart with --show-secret, --save-profile NAME, --ready-file PATH or -- COMMAND.";
}

/** Writes a private file. @returns a function that removes it, unless it has other content by then */
export async function writeReadyFile(path: string, line: string): Promise<() => Promise<void>> {
  await replacePrivately(path, line).catch((cause: unknown) => {
    throw refuseWriting(`--ready-file ${path}: ${describeFileError(cause)}`, cause);
  });
  return async () => {
    if (readText(path) === line) await rm(path, { force: true });
  };
}

/** Removes the ready file of a server that was killed. @throws UsageError for a path that has anything else */
export async function clearReadyFile(path: string, ownPid: number): Promise<void> {
  let pid: unknown;
  const isReady = (text: string) => {
    const left = tryParseJson(text);
    if (!isResource(left) || left['event'] !== 'ready') return false;
    pid = left['pid'];
    return true;
  };
  const isLink = () => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  const problem = (await whyKept(path, 'a ready file', isReady)) ?? (isLink() && 'it is a link');
  if (problem) throw new UsageError(`--ready-file ${path}: ${problem}`);
  // In a container, the next process often has the same ID.
  if (typeof pid === 'number' && (pid === ownPid || !isRunning(pid))) await rm(path, { force: true });
}

/** An unreadable file counts as another server's. */
function readText(path: string): string | undefined {
  try {
    return readRegularFile(path).toString();
  } catch {
    return undefined;
  }
}
