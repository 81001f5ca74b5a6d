// The least that a program can do for the same work: send through one undici pool, as many requests under way as orgctl
// has, and print what comes back. As orgctl, it reads the quota first.
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
