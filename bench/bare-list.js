// The least that a program can do for the same list: ask for page after page through one undici client, signed with
// node:crypto, and print each item as a line.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from 'undici';

const {
  ORGCTL_BASE_URL: url,
  ORGCTL_KEY_ID: keyId,
  ORGCTL_SECRET: secret,
  ORGCTL_CA_FILE: caFile,
} = process.env;
const client = new Client(url, { connect: { ca: readFileSync(caFile) } });

async function read(page) {
  const path = `/connections?limit=100&page=${page}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secret).update(`GET\n${path}\n${timestamp}\n\n`).digest('hex');
  const headers = { 'X-API-Key': keyId, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };
  const answer = await client.request({ method: 'GET', path, headers });
  const body = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${body.message}`);
  return body;
}

for (let page = 1, pages = 1; page <= pages; page += 1) {
  const answer = await read(page);
  pages = answer.pages;
  const lines = answer.data.map((item) => `${JSON.stringify(item)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
}
await client.close();
