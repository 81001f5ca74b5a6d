// The least that a server must do for a long list: pages of connections that differ only in ID and name.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const { ORGCTL_DATA: data, ORGCTL_ITEMS: items } = process.env;
const total = Number(items);
const config = { host: 'db.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
const time = '2026-01-01T00:00:00.000Z';

function connection(at) {
  const id = `conn_${String(at).padStart(24, '0')}`;
  return { id, name: `connection-${at}`, type: 'postgresql', config, created_at: time, updated_at: time };
}

function pageOf(url) {
  const query = new URL(url, 'https://localhost').searchParams;
  const limit = Number(query.get('limit') ?? 20);
  const page = Number(query.get('page') ?? 1);
  const begin = (page - 1) * limit;
  const length = Math.max(0, Math.min(limit, total - begin));
  const data = Array.from({ length }, (_, at) => connection(begin + at));
  return JSON.stringify({ data, total, page, limit, pages: Math.ceil(total / limit) });
}

const tls = {
  cert: readFileSync(join(data, 'server.pem')),
  key: readFileSync(join(data, 'server-key.pem')),
};
const server = createServer(tls, (request, response) => {
  const body = pageOf(request.url);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`https://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit());
