// The least that a server must do: node:https and a verified HMAC signature; the response is always the same. A POST
// appends a line to a file and waits for the disk; lines that arrive during a write are written and synced together.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';

const { ORGCTL_DATA: data, ORGCTL_SECRET: secret } = process.env;
const quota = (limit, used) => ({ limit, used, remaining: limit - used });
const record = { 'api-keys': quota(20, 1), connections: quota(10, 0), teams: quota(20, 0) };
const answer = JSON.stringify({ data: [record], total: 1, page: 1, limit: 20, pages: 1 });
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': answer.length };

function isSigned(request, body) {
  const timestamp = request.headers['x-api-timestamp'] ?? '';
  const contentType = body.length === 0 ? '' : (request.headers['content-type'] ?? '');
  const expected = createHmac('sha256', secret)
    .update(`${request.method}\n${request.url}\n${timestamp}\n${contentType}\n`)
    .update(body)
    .digest('hex');
  const given = Buffer.from(request.headers['x-api-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, Buffer.from(expected));
}

const file = await open(join(data, 'bare-lines'), 'a', 0o600);
let waiting = [];
let isWriting = false;

async function write() {
  isWriting = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    await file.appendFile(group.map(({ body }) => `${body}\n`).join(''));
    await file.datasync();
    for (const { done } of group) done();
  }
  isWriting = false;
}

function stored(body, done) {
  waiting.push({ body, done });
  if (!isWriting) write();
}

const tls = {
  cert: readFileSync(join(data, 'server.pem')),
  key: readFileSync(join(data, 'server-key.pem')),
};
const server = createServer(tls, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const send = (status) => response.writeHead(status, headers).end(answer);
    if (!isSigned(request, body)) send(401);
    else if (request.method === 'POST') stored(body, () => send(201));
    else send(200);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit());
