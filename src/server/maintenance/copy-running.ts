import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { controlCalls } from '../../api/control/calls.js';
import { controlAnswers, type ServerFile } from '../../api/control/control-answers.js';
import { z } from '../../api/schema/schema.js';
import { ConfigError, readMessage } from '../../errors/errors.js';
import { createPrivately } from '../../platform/durable-file.js';
import type { Store } from '../../storage/store.js';
import { readIfThere } from '../data/private-file.js';
import { readServerFile } from '../data/server-file.js';

/**
 * In the running server: copies the database to a new file in the data directory, which is removed by who asked for it.
 * @returns its name
 */
export async function copyRunning(copyTo: NonNullable<Store['copyTo']>, directory: string): Promise<string> {
  const name = `.orgctl-${randomBytes(12).toString('hex')}.db`;
  await createPrivately(join(directory, name), '');
  await copyTo(join(directory, name));
  return name;
}

/** Asks the server that uses a data directory for a copy of the database. @returns its path @throws ConfigError */
export async function askForCopy(directory: string): Promise<string> {
  try {
    const file = readServerFile(directory);
    const response = await post(`${file.control}${controlCalls['data.copy'].path}`, file);
    const body = await text(response);
    if (response.statusCode !== 201) throw new Error(`it answered ${response.statusCode}`);
    const { copy } = z.parse(controlAnswers['data.copy'], JSON.parse(body));
    return join(directory, copy);
  } catch (error) {
    throw new ConfigError(`the server that uses ${directory} did not copy its data: ${readMessage(error)}`, {
      hint: 'see its log, or stop it first',
      cause: error,
    });
  }
}

async function post(url: string, { token, caFile }: ServerFile): Promise<IncomingMessage> {
  const ca = caFile === undefined ? undefined : readIfThere(caFile, 'public');
  const options = { method: 'POST', headers: { authorization: `Bearer ${token}` } };
  const sent = url.startsWith('https:')
    ? requestHttps(url, { ...options, ...(ca !== undefined && { ca }) })
    : requestHttp(url, options);
  sent.end();
  const [response] = await once(sent, 'response');
  return response;
}
