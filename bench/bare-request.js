// The least that a program must do to show quotas: sign with node:crypto, send with node:https, print the JSON.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const {
  ORGCTL_BASE_URL: url,
  ORGCTL_KEY_ID: keyId,
  ORGCTL_SECRET: secret,
  ORGCTL_CA_FILE: caFile,
} = process.env;
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = createHmac('sha256', secret).update(`GET\n/quotas\n${timestamp}\n\n`).digest('hex');
const headers = { 'X-API-Key': keyId, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature };

request(`${url}/quotas`, { ca: readFileSync(caFile), headers }, async (answer) => {
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${body.message}`);
  process.stdout.write(`${JSON.stringify(body.data[0], null, 2)}\n`);
}).end();
