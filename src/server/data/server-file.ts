import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  proxiesName,
  type ServerFile,
  serverFileName,
  serverFileSchema,
  sharedServersName,
} from '../../api/control/server-file.js';
import { z } from '../../api/schema/schema.js';
import { makeDirectory } from '../../platform/home-directory.js';
import { portOf } from '../../text/base-url.js';
import { ownPath } from '../http/url-space.js';
import { readIfThere, writePrivately } from './private-file.js';

type Facts = Omit<ServerFile, 'control'>;

/**
 * Writes the control API's address and token to a private file of the data directory: `server.json`, or one file per
 * server of a shared database. Returns a function that removes it. @throws ConfigError if it is unwritable
 */
export function leaveServerFile(directory: string, facts: Facts): Promise<() => Promise<void>> {
  const { url, database } = facts;
  const shared = `${new URL(url).host.replaceAll(/[^\w.-]/g, '_')}.json`;
  const name = database === undefined ? serverFileName : join(sharedServersName, shared);
  // Local programs may distrust the user's own certificate, or not find its name at this address.
  const isTrusted = facts.caFile !== undefined || !url.startsWith('https:');
  return leaveFile(join(directory, name), facts, isTrusted ? url : (facts.console ?? url));
}

/** Like `leaveServerFile`, with one file per proxy. */
export function leaveProxyFile(
  directory: string,
  facts: Facts & { readonly console: string },
): Promise<() => Promise<void>> {
  const path = join(directory, proxiesName, `${portOf(new URL(facts.url))}.json`);
  return leaveFile(path, facts, facts.console);
}

/** @param base the address below which the control API is */
async function leaveFile(path: string, facts: Facts, base: string): Promise<() => Promise<void>> {
  // The schema drops other facts.
  const file = z.parse(serverFileSchema, { ...facts, control: new URL(ownPath.control, base).href });
  const text = `${JSON.stringify(file, null, 2)}\n`;
  makeDirectory(dirname(path));
  // Not durable: after a power cut, the server has ended, too.
  await writePrivately(path, text, false);
  return async () => {
    // Another server may have replaced it.
    const left = await readFile(path, 'utf8').catch(() => undefined);
    if (left === text) await rm(path, { force: true });
  };
}

/** What the server of a data directory wrote about itself. @throws Error */
export function readServerFile(directory: string): ServerFile {
  const text = readIfThere(join(directory, serverFileName), 'secret');
  if (text === undefined) throw new Error(`it has no ${serverFileName}`);
  return z.parse(serverFileSchema, JSON.parse(text));
}
