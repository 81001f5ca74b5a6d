// A bare client: only the parts of undici that orgctl loads, and requests signed with node:crypto.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import api from 'undici/lib/api/index.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// undici's index does the same.
Object.assign(Dispatcher.prototype, api);

const {
  ORGCTL_BASE_URL: url,
  ORGCTL_KEY_ID: keyId,
  ORGCTL_SECRET: secret,
  ORGCTL_CA_FILE: caFile,
} = process.env;

export function openPool(connections) {
  return new Pool(url, { connections, connect: { ca: readFileSync(caFile) } });
}

/** Resolves to the response's JSON. Rejects if its status is not `expected`. */
export async function send(pool, method, path, expected, body = '') {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const contentType = body === '' ? '' : 'application/json';
  const signature = createHmac('sha256', secret)
    .update(`${method}\n${path}\n${timestamp}\n${contentType}\n${body}`)
    .digest('hex');
  const headers = {
    ...(body !== '' && { 'Content-Type': contentType }),
    'X-API-Key': keyId,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  };
  const answer = await pool.request({ method, path, headers, ...(body !== '' && { body }) });
  const content = await answer.body.json();
  if (answer.statusCode !== expected) throw new Error(`${answer.statusCode}: ${content.message}`);
  return content;
}
