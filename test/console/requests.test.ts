import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import { writeCommand } from '../../src/console/requests/orgctl-command.js';
import type { RunningServer } from '../../src/server/index.js';
import { signedHeaders } from '../../src/signing/index.js';
import { Caller } from '../support/caller.js';
import { describePages, useConsole } from './support/browser.js';

function headersFor({ keyId, secret }: RunningServer, target: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const request = { method: 'GET', target, timestamp, contentType: '', body: Buffer.alloc(0) };
  return signedHeaders({ keyId, secret }, request);
}

async function flood(server: RunningServer, count: number): Promise<void> {
  const headers = headersFor(server, '/quotas');
  const pool = new Pool(server.url, { connections: 8, pipelining: 4 });
  const send = async () => {
    const { body } = await pool.request({ path: '/quotas', method: 'GET', headers });
    await body.dump();
  };
  await Promise.all(Array.from({ length: count }, send));
  await pool.close();
}

describePages('the requests', () => {
  const console = useConsole();
  const caller = () => new Caller(console.server);
  const responseOn = (page: Page) => page.getByRole('region', { name: 'Response' });
  const lines = (page: Page) => page.locator('.lines-of-journal li');

  it('are listed as they come, searched, and refused ones alone', async () => {
    const page = await console.open('requests');
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await caller().send('GET', '/teams');
    await page.getByRole('link', { name: /200 GET \/teams/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await caller().send('GET', '/nothing');
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await page.getByRole('link', { name: /404 GET \/nothing not found/ }).waitFor();
    await page.getByLabel('Refused only').check();
    await expect.poll(() => lines(page).count()).toBe(1);
    await page.getByLabel('Search requests').fill('200 teams');
    await page.getByText('No matching requests').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => lines(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
  });

  it('are shown up to the newest 300, if many come at once', async () => {
    const page = await console.open('requests');
    await flood(console.server, 400);
    const [last] = await console.server.control.journal.get({ limit: 1 });
    await expect
      .poll(() => lines(page).first().locator('a').getAttribute('data-entry'))
      .toBe(String(last?.id));
    expect(await lines(page).count()).toBe(300);
    await page.getByText('The newest 300 of 400').waitFor();
  });

  it('that are refused say why and where, and are corrected and accepted on one screen', async () => {
    const headers = headersFor(console.server, '/teams');
    await caller().send('GET', '/teams?limit=5', { auth: 'none', headers });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /401/ }).click();
    await page.getByText('sign the path plus ?query, exactly as sent').waitFor();
    const rows = await page.locator('.diff tbody tr').allInnerTexts();
    expect(rows[1]?.split(/[\t\n]/)).toEqual(['path and query', '/teams?limit=5\\n', '/teams\\n']);
    expect(await page.locator('.diff mark').allInnerTexts()).toEqual(['?limit=5']);
    await page.getByText('First difference: byte 11, in the path and query.').waitFor();
    await page.getByRole('button', { name: 'Fix and replay' }).click();
    await responseOn(page).getByText('200', { exact: true }).waitFor();
    await page.getByRole('link', { name: /200 GET \/teams\?limit=5/ }).waitFor();
    expect(await page.content()).not.toContain(console.server.secret);
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('401');
  });

  it('are shown with what is secret masked, sent again unmasked, and written by hand', async () => {
    const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'swordfish', ssl: true };
    await caller().send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /201 POST \/connections/ }).click();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toContain('********');
    await page.getByLabel('Target').fill('/connections?again=1');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.click();
    await responseOn(page).getByText('/connections?again').waitFor();
    const [sent, first] = await console.server.control.journal.get();
    expect(sent?.bodyBytes).toBe(first?.bodyBytes);
    expect(await page.content()).not.toContain('swordfish');
    await page.getByRole('button', { name: 'Send a request' }).click();
    await page.getByLabel('Target').fill('/teams');
    await send.click();
    await responseOn(page).getByText('"total": 0').waitFor();
  });
});

it('in a command for a request, the shell expands nothing, whatever the request contains', async () => {
  const target = '/teams?name=$(exit)`exit`\'"\\&;#';
  const body = "$(exit)\nEND\n`exit`'";
  const entry = {
    id: 1,
    time: '',
    method: 'POST',
    status: 401,
    milliseconds: 1,
    bodyBytes: 1,
    keyId: 'key_$(exit)',
  };
  const server = { url: 'http://127.0.0.1:1/api', caFile: undefined, keyId: 'key_a', profile: 'local' };
  const command = writeCommand({ ...entry, target: `/api${target}`, body }, server)?.command;
  const script = `orgctl() { printf '%s\\0' "$@"; cat; }\n${command}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const words = ['request', 'POST', target, '--base-url', server.url, '--key-id', entry.keyId, '--data', '-'];
  expect(stdout.split('\0')).toEqual([...words, `${body}\n`]);
});
