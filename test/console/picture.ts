import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { parse } from 'yaml';
import { startServer } from '../../src/server/index.js';
import { signedHeaders } from '../../src/signing/index.js';
import { Caller } from '../server/support/caller.js';
import { root } from '../support/built-tool.js';
import { codeBlock } from '../support/pages.js';
import { enter, executablePath, flags, originOf } from './support/browser.js';

// npm run picture, after npm run build: the picture of the console in README, of a server with the seed of docs/guides/local-service.md.

const file = join(root, 'docs', 'console.png');
const seed = parse(codeBlock('docs/guides/local-service.md', 'organizations:'));

const server = await startServer({ http: true, console: true, seed });
const caller = new Caller(server);
await makeRequests();
const browser = await chromium.launch({ executablePath, headless: true, args: flags });
const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
await enter(page, server);
await page.goto(`${originOf(server)}/#/requests`);
await page
  .getByRole('link', { name: /signature/ })
  .first()
  .click();
await page.getByText('Your client signed').waitFor();
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, await page.screenshot());
await browser.close();
await server.close();

/** Some of what a day brings, and a client that forgets the query when it signs. */
async function makeRequests(): Promise<void> {
  const team = { name: 'payments' };
  await caller.send('GET', '/quotas');
  await caller.send('POST', '/teams', { body: team });
  await caller.send('GET', '/connections?limit=20');
  await caller.send('GET', '/teams/team_unknown');
  await caller.send('GET', '/api-keys');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { method: 'GET', target: '/teams', timestamp, contentType: '', body: Buffer.alloc(0) };
  await caller.send('GET', '/teams?limit=50', { auth: 'none', headers: signedHeaders(server, signed) });
  await caller.send('GET', '/teams?limit=50');
  await caller.send('DELETE', '/connections/conn_app');
}
