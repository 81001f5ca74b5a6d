// The least that a program must do to create many connections: read the quota first, as orgctl does, send through an
// undici pool with as many concurrent requests as orgctl, and print the responses.
import { readFileSync } from 'node:fs';
import { openPool, send } from './bare-undici.js';

const underWay = 8;
const entries = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const pool = openPool(underWay);
await send(pool, 'GET', '/quotas', 200);

const results = [];
let next = 0;
async function work() {
  while (next < entries.length) {
    const at = next++;
    results[at] = await send(pool, 'POST', '/connections', 201, JSON.stringify(entries[at]));
  }
}
await Promise.all(Array.from({ length: underWay }, work));
await pool.close();
process.stdout.write(results.map((result) => `${JSON.stringify(result)}\n`).join(''));
