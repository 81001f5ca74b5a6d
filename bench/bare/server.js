// The least that a server must do: node:https and a verified HMAC signature. A GET gets fixed quotas or 100 of
// ORGCTL_ITEMS connections. A POST waits until its body is on disk.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:https';
import { dirname } from 'node:path';

const { ORGCTL_CA_FILE: caFile, ORGCTL_SECRET: secret, ORGCTL_ITEMS: total } = process.env;
const directory = dirname(caFile);
const quota = { limit: 20, used: 1, remaining: 19 };
const data = [{ 'api-keys': quota, connections: quota, teams: quota }];
const quotas = JSON.stringify({ data, total: 1, page: 1, limit: 20, pages: 1 });
const config = { host: 'db.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
const fields = { type: 'postgresql', config, created_at: '2026-01-01T00:00:00.000Z' };

function pageOf(target) {
  const page = Number(/[?&]page=(\d+)/.exec(target)?.[1] ?? 1);
  const rows = Array.from({ length: 100 }, (_, at) => ({
    id: `conn_${page}_${at}`,
    name: 'main',
    ...fields,
  }));
  return JSON.stringify({ data: rows, total: Number(total), page, limit: 100, pages: total / 100 });
}

function isSigned({ method, url, headers }, body) {
  const signed = `${method}\n${url}\n${headers['x-api-timestamp']}\n${headers['content-type'] ?? ''}\n`;
  const expected = createHmac('sha256', secret).update(signed).update(body).digest('hex');
  const given = Buffer.from(headers['x-api-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}

/** Bodies that arrive during a write are written and synced together. */
const file = await open(`${directory}/bare-lines`, 'a', 0o600);
const waiting = [];
let last = Promise.resolve();
function store(body) {
  const write = () => file.appendFile(`${waiting.splice(0).join('\n')}\n`);
  if (waiting.push(body) === 1) last = last.then(write).then(() => file.datasync());
  return last;
}

const [cert, key] = ['server.pem', 'server-key.pem'].map((name) => readFileSync(`${directory}/${name}`));
const server = createServer({ cert, key }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const body = Buffer.concat(chunks);
    if (!isSigned(request, body)) return response.writeHead(401).end();
    if (request.method === 'POST') await store(body);
    const text = request.url.startsWith('/connections?') ? pageOf(request.url) : quotas;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(request.method === 'POST' ? 201 : 200, headers).end(text);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));
