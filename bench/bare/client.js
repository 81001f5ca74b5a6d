// The least that a client must do with node:https: sign, send, print. With the argument `list`, it prints all
// connections, and requests each page while it prints the page before.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';

const { ORGCTL_BASE_URL: url, ORGCTL_KEY_ID: keyId, ORGCTL_SECRET: secret } = process.env;
const ca = readFileSync(process.env.ORGCTL_CA_FILE);

async function get(path) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`GET\n${path}\n${timestamp}\n\n`).digest('hex');
  const headers = { 'X-API-Key': keyId, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
  const [response] = await once(request(`${url}${path}`, { ca, headers }).end(), 'response');
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  return json(response);
}

const isList = process.argv[2] === 'list';
let next = get(isList ? '/connections?limit=100&page=1' : '/quotas');
for (let page = 1; next !== undefined; page += 1) {
  const { data, pages } = await next;
  next = page < pages ? get(`/connections?limit=100&page=${page + 1}`) : undefined;
  const lines = data.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
