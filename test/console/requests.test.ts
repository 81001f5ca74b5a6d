import type { Page } from 'playwright-core';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import type { RunningServer } from '../../src/server/index.js';
import { signedHeaders } from '../../src/signing/index.js';
import { Caller } from '../server/support/caller.js';
import { describePages, useConsole } from './support/browser.js';

function headersFor({ keyId, secret }: RunningServer, target: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return signedHeaders(
    { keyId, secret },
    { method: 'GET', target, timestamp, contentType: '', body: Buffer.alloc(0) },
  );
}

/** So many requests, as fast as they are answered. */
async function ask(server: RunningServer, count: number): Promise<void> {
  const headers = headersFor(server, '/quotas');
  const pool = new Pool(server.url, { connections: 8, pipelining: 4 });
  const send = async () => {
    const { body } = await pool.request({ path: '/quotas', method: 'GET', headers });
    await body.dump();
  };
  await Promise.all(Array.from({ length: count }, send));
  await pool.close();
}

const list = "document.querySelector('.lines-of-journal')";

const lines = (page: Page) => page.locator('.lines-of-journal li');

const entryOf = (page: Page) => page.getByRole('region', { name: /^Request \d/ });

/** How many requests the page has, by what it says of each. */
async function listed(page: Page): Promise<number> {
  return Number(await lines(page).first().getAttribute('aria-setsize'));
}

describePages('the journal', () => {
  const console = useConsole();
  const caller = () => new Caller(console.server);

  it('shows requests as they come, newest first, is paused, and is cleared', async () => {
    const page = await console.open('requests');
    await caller().send('GET', '/teams');
    await page.getByRole('link', { name: /200 GET \/teams/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await caller().send('GET', '/nothing');
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await page.getByRole('link', { name: /404 GET \/nothing not found/ }).waitFor();
    expect(await lines(page).first().innerText()).toContain('/nothing');
    const { keyId, control } = console.server;
    await caller().send('GET', '/teams', { credential: { keyId: 'key_nobody', secret: '0'.repeat(64) } });
    await page.getByRole('link', { name: /401 GET \/teams unknown key/ }).waitFor();
    await control.keys.disable(keyId);
    await caller().send('GET', '/teams');
    await page.getByRole('link', { name: /403 GET \/teams key disabled/ }).click();
    // No identifier is capitalized.
    expect(await page.locator('.reason').innerText()).toContain(`key disabled ${keyId} is disabled`);
    await control.keys.enable(keyId);
    await caller().send('GET', '/teams?limit=x');
    await page.getByRole('link', { name: /400 GET \/teams\?limit=x/ }).click();
    await page.locator('.reason', { hasText: 'bad query' }).waitFor();
    expect(await page.locator('.reason').innerText()).toContain('bad query limit must be');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('heading', { name: 'No requests', exact: true }).waitFor();
    expect(await control.journal.count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'No requests', exact: true }).waitFor();
  });

  it('is asked by what its address says, and for words of path, key and reason', async () => {
    await caller().send('GET', '/teams');
    await caller().send('POST', '/teams', { body: { name: 'a' } });
    await caller().send('GET', '/nothing');
    const page = await console.open('requests?refused=true');
    await lines(page).first().waitFor();
    expect(await lines(page).allInnerTexts()).toEqual([expect.stringContaining('/nothing')]);
    await page.getByLabel('Refused only').uncheck();
    await page.getByLabel('Method').selectOption('POST');
    await page.getByRole('link', { name: /201 POST/ }).waitFor();
    await expect.poll(() => lines(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => lines(page).count()).toBe(3);
    await page.getByLabel('Status').fill('4xx');
    await expect.poll(() => lines(page).count()).toBe(1);
    expect(page.url()).toContain('status=4xx');
    await page.getByLabel('Status').fill('418');
    await page.getByText('No matching requests').waitFor();
    expect(await page.getByText('No requests yet').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => lines(page).count()).toBe(3);
    const search = page.getByLabel('Search requests');
    // The focus stays where one types, although each pause asks.
    await search.pressSequentially('eam', { delay: 300 });
    await expect.poll(() => lines(page).count()).toBe(2);
    expect(await search.inputValue()).toBe('eam');
    await search.fill('NO path');
    await page.getByRole('link', { name: /GET \/nothing/ }).waitFor();
    await expect.poll(() => lines(page).count()).toBe(1);
    await search.fill(`${console.server.keyId} teams`);
    await expect.poll(() => lines(page).count()).toBe(2);
  });

  it('lists what can be opened of 1,100, of which only those in sight are in the page', async () => {
    await ask(console.server, 1_100);
    const page = await console.open('requests');
    const newest = () => lines(page).first().locator('a').getAttribute('data-id');
    const [last] = await console.server.control.journal.get({ limit: 1 });
    await expect.poll(newest).toBe(String(last?.id));
    expect(await listed(page)).toBe(1000);
    expect(await lines(page).count()).toBeLessThan(100);
    // What is read stays where it is, whatever comes.
    await page.evaluate(`${list}.scrollTop = 30 * 300`);
    const read = (): Promise<{ href: string; place: number }> =>
      page.evaluate(`(() => {
        const below = ${list}.getBoundingClientRect().top + 100;
        const line = document.elementFromPoint(innerWidth / 2, below).closest('li');
        // Nothing is there until the rows of the new place are drawn.
        return line === null ? { href: '', place: 0 } : { href: line.querySelector('a').href, place: Number(line.ariaPosInSet) };
      })()`);
    await expect.poll(async () => (await read()).place).toBeGreaterThan(300);
    const before = await read();
    await ask(console.server, 30);
    let now = before;
    const place = async () => {
      now = await read();
      return now.place;
    };
    await expect.poll(place).toBeGreaterThan(before.place);
    expect(now.href).toBe(before.href);
    expect(await listed(page)).toBeLessThanOrEqual(1000);
    await page.evaluate(`${list}.scrollTop = 1e9`);
    await lines(page).last().locator('a').click();
    await page.locator('.entry h2').waitFor();
    expect(await page.locator('.entry').getByText('no longer available').count()).toBe(0);
    // A request that is opened by its address has its line in sight.
    const id = /entry=(\d+)/.exec(page.url())?.[1];
    await page.reload();
    const line = page.locator(`a[data-id="${id}"]`);
    await line.waitFor();
    const box = async () => (await line.boundingBox()) ?? { y: -1, height: 0 };
    await expect.poll(async () => (await box()).y).toBeGreaterThan(0);
    await expect.poll(async () => (await box()).y + (await box()).height).toBeLessThanOrEqual(720);
  });

  it('is used by keys: search, rows, open, close, help', async () => {
    await caller().send('GET', '/teams');
    await caller().send('GET', '/connections');
    const page = await console.open('requests');
    await lines(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('j?/');
    expect(await page.getByLabel('Search requests').inputValue()).toBe('j?/');
    await page.getByText('No matching requests').waitFor();
    await page.getByLabel('Search requests').fill('');
    await expect.poll(() => lines(page).count()).toBe(2);
    for (const key of ['Escape', 'j', 'j', 'k', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const entry = entryOf(page);
    await entry.getByRole('heading', { name: '/teams' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => entry.count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('/teams');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('/teams');
  });
});

describePages('a request of the journal', () => {
  const console = useConsole();
  const caller = () => new Caller(console.server);
  const answerOn = (page: Page) => page.getByRole('region', { name: 'Response' });

  it('fails, says why and where, and is corrected and accepted on one screen', async () => {
    const headers = headersFor(console.server, '/teams');
    await caller().send('GET', '/teams?limit=5', { auth: 'none', headers });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /401/ }).click();
    const entry = entryOf(page);
    await entry.getByText('sign the path plus ?query, exactly as sent').waitFor();
    const rows = await entry.locator('.diff tbody tr').allInnerTexts();
    expect(rows).toHaveLength(5);
    expect(rows[1]?.split(/[\t\n]/)).toEqual(['path and query', '/teams?limit=5\\n', '/teams\\n']);
    expect(await entry.locator('.diff mark').allInnerTexts()).toEqual(['?limit=5']);
    await entry.getByText('First difference: byte 11, in the path and query.').waitFor();
    await page.reload();
    await entry.getByText('query-missing').waitFor();
    await page.getByRole('button', { name: 'Fix and replay' }).click();
    await answerOn(page).getByText('200', { exact: true }).waitFor();
    await answerOn(page).getByText('"total": 0').waitFor();
    await page.getByRole('link', { name: /200 GET \/teams\?limit=5/ }).waitFor();
    expect(await page.content()).not.toContain(console.server.secret);
    await entry.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => entry.count()).toBe(0);
  });

  it('is corrected step by step, as far as each explanation goes', async () => {
    await console.server.control.quotas.set({ teams: 0 });
    await caller().send('POST', '/teamz', { body: { name: 'one' } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /404/ }).click();
    await page.getByText('Changes the request to /teams, then sends it.').waitFor();
    await page.getByRole('button', { name: 'Fix and replay' }).click();
    await answerOn(page).getByText('Raises the limit to 1 teams').waitFor();
    await answerOn(page).getByRole('button', { name: 'Fix and replay' }).click();
    await answerOn(page).getByText('201', { exact: true }).waitFor();
  });

  it('is shown with what is secret masked; it is edited and sent, with what was left as it was unmasked', async () => {
    const { json } = await caller().send('POST', '/api-keys', { body: { name: 'ci' } });
    const secret = /"secret":"([^"]+)"/.exec(JSON.stringify(json))?.[1] ?? '';
    expect(secret).toHaveLength(64);
    const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'swordfish', ssl: true };
    await caller().send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /201 POST \/api-keys/ }).click();
    const entry = entryOf(page);
    await entry.getByRole('heading', { name: /^Response/ }).waitFor();
    const [response = '', request = ''] = await entry.locator('.lines pre').allInnerTexts();
    expect(response).toContain('"secret": "********"');
    expect(request).toContain('"name": "ci"');
    await entry.getByText('x-quota', { exact: false }).first().waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: /201 POST \/connections/ }).click();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toContain('********');
    await page.getByLabel('Target').fill('/connections?again=1');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answerOn(page).getByText('/connections?again').waitFor();
    const [sent] = await console.server.control.journal.get({ limit: 1 });
    const [, first] = await console.server.control.journal.get();
    expect(sent?.bodyBytes).toBe(first?.bodyBytes);
    await page.getByLabel('Method').last().selectOption('GET');
    await page.getByLabel('Target').fill('/teams');
    await page.getByRole('textbox', { name: 'Body' }).fill('');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answerOn(page).getByText('"data": []').waitFor();
    expect(await page.content()).not.toContain('swordfish');
  });
});
