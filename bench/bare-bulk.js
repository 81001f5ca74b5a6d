// The least that a program can do for the same work: sign with node:crypto, send through one undici pool, as many
// requests under way as orgctl has, and print what comes back.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const underWay = 8;
const {
  ORGCTL_BASE_URL: url,
  ORGCTL_KEY_ID: keyId,
  ORGCTL_SECRET: secret,
  ORGCTL_CA_FILE: caFile,
} = process.env;
const entries = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const pool = new Pool(url, { connections: underWay, connect: { ca: readFileSync(caFile) } });

async function create(entry) {
  const body = JSON.stringify(entry);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const contentType = 'application/json';
  const signature = createHmac('sha256', secret)
    .update(`POST\n/connections\n${timestamp}\n${contentType}\n${body}`)
    .digest('hex');
  const headers = {
    'Content-Type': contentType,
    'X-API-Key': keyId,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': signature,
  };
  const answer = await pool.request({ method: 'POST', path: '/connections', headers, body });
  const created = await answer.body.json();
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode}: ${created.message}`);
  return created;
}

const results = [];
let next = 0;
async function work() {
  while (next < entries.length) {
    const at = next++;
    results[at] = await create(entries[at]);
  }
}
await Promise.all(Array.from({ length: underWay }, work));
await pool.close();
process.stdout.write(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
