// The least that a program must do to list all connections: request each page while printing the page before, one line
// for each item.
import { once } from 'node:events';
import { openPool, send } from './bare-undici.js';

const pool = openPool(1);
const read = (page) => send(pool, 'GET', `/connections?limit=100&page=${page}`, 200);

let answer = await read(1);
for (let page = 1; answer !== undefined; page += 1) {
  const next = page < answer.pages ? read(page + 1) : undefined;
  const lines = answer.data.map((item) => `${JSON.stringify(item)}\n`).join('');
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain');
  answer = await next;
}
await pool.close();
