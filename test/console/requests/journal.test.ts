import type { Page } from 'playwright-core';
import { Pool } from 'undici';
import { expect, it } from 'vitest';
import type { RunningServer } from '../../../src/server/index.js';
import { signedHeaders } from '../../../src/signing/index.js';
import { Caller } from '../../server/support/caller.js';
import { describePages, useBrowser, useConsole } from '../support/browser.js';

const browser = useBrowser();

/** So many requests, as fast as they are answered. */
async function ask({ url, keyId, secret }: RunningServer, count: number): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const request = { method: 'GET', target: '/quotas', timestamp, contentType: '', body: Buffer.alloc(0) };
  const headers = signedHeaders({ keyId, secret }, request);
  const pool = new Pool(url, { connections: 8, pipelining: 4 });
  const send = async () => {
    const { body } = await pool.request({ path: '/quotas', method: 'GET', headers });
    await body.dump();
  };
  await Promise.all(Array.from({ length: count }, send));
  await pool.close();
}

const list = "document.querySelector('.lines-of-journal')";

const lines = (page: Page) => page.locator('.lines-of-journal li');

/** How many requests the page has, by what it says of each. */
async function listed(page: Page): Promise<number> {
  return Number(await lines(page).first().getAttribute('aria-setsize'));
}

describePages('the journal', () => {
  const console = useConsole(browser);
  const caller = () => new Caller(console.server);

  it('shows requests as they come, newest first', async () => {
    const page = await console.open('requests');
    await caller().send('GET', '/teams');
    await page.getByRole('link', { name: /200 GET \/teams/ }).waitFor();
    await caller().send('GET', '/nothing');
    await page.getByRole('link', { name: /404 GET \/nothing not found/ }).waitFor();
    expect(await lines(page).first().innerText()).toContain('/nothing');
  });

  it('opens a refused one into its reason, the mistake, what differs and what is accepted', async () => {
    const signed = { method: 'GET', target: '/teams', contentType: '', body: Buffer.alloc(0) };
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = signedHeaders(console.server, { ...signed, timestamp });
    await caller().send('GET', '/teams?limit=5', { auth: 'none', headers });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /401/ }).click();
    const entry = page.getByRole('region', { name: /^Request \d/ });
    await entry.getByText('query-missing').waitFor();
    await entry.getByText('sign the path plus ?query, exactly as sent').waitFor();
    const rows = await entry.locator('.diff tbody tr').allInnerTexts();
    expect(rows).toHaveLength(5);
    expect(rows[1]?.split(/[\t\n]/)).toEqual(['path and query', '/teams?limit=5\\n', '/teams\\n']);
    expect(await entry.locator('.diff mark').allInnerTexts()).toEqual(['?limit=5']);
    await entry.getByText('First difference: byte 10, in the target.').waitFor();
    await page.reload();
    await entry.getByText('query-missing').waitFor();
    await entry.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => entry.count()).toBe(0);
  });

  it('opens both sides of a request, with what is secret masked', async () => {
    const { json } = await caller().send('POST', '/api-keys', { body: { name: 'ci' } });
    const secret = /"secret":"([^"]+)"/.exec(JSON.stringify(json))?.[1] ?? '';
    expect(secret).toHaveLength(64);
    const page = await console.open('requests');
    await page.getByRole('link', { name: /201 POST \/api-keys/ }).click();
    const entry = page.getByRole('region', { name: /^Request \d/ });
    await entry.getByRole('heading', { name: /^Response/ }).waitFor();
    const [response = '', request = ''] = await entry.locator('.lines pre').allInnerTexts();
    expect(response).toContain('"secret": "********"');
    expect(request).toContain('"name": "ci"');
    await entry.getByText('x-quota', { exact: false }).first().waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('is asked by what its address says', async () => {
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
  });

  it('is paused, goes on with what came meanwhile, and is cleared', async () => {
    await caller().send('GET', '/teams');
    const page = await console.open('requests');
    await lines(page).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await caller().send('GET', '/connections');
    await page.getByRole('button', { name: 'Resume (1 new)' }).click();
    await expect.poll(() => lines(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await console.server.control.journal.count()).toBe(0);
  });

  it('lists what can be opened of 1,500, of which only those in sight are in the page', async () => {
    const page = await console.open('requests');
    await page.getByText('No requests yet').waitFor();
    await ask(console.server, 1_500);
    const newest = () => lines(page).first().locator('a').getAttribute('data-id');
    const [last] = await console.server.control.journal.get({ limit: 1 });
    await expect.poll(newest).toBe(String(last?.id));
    await expect.poll(() => listed(page)).toBeLessThanOrEqual(1000);
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
    await ask(console.server, 100);
    let now = before;
    const place = async () => {
      now = await read();
      return now.place;
    };
    await expect.poll(place).toBeGreaterThan(before.place);
    expect(now.href).toBe(before.href);
    await page.evaluate(`${list}.scrollTop = 1e9`);
    await lines(page).last().locator('a').click();
    await page.locator('.entry h2').waitFor();
    expect(await page.locator('.entry').getByText('no longer available').count()).toBe(0);
  });

  it('tells that filters hide everything from that there is nothing', async () => {
    await caller().send('GET', '/teams');
    const page = await console.open('requests?status=418');
    await page.getByText('No matching requests').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('link', { name: /200 GET \/teams/ }).waitFor();
    expect(await page.getByText('No requests yet').count()).toBe(0);
    await page.getByLabel('Search requests').pressSequentially('nowhere');
    await page.getByText('No matching requests').waitFor();
  });

  it('searches path, key and reason, and keeps the focus where one types', async () => {
    await caller().send('GET', '/teams');
    await caller().send('GET', '/connections');
    const page = await console.open('requests');
    await caller().send('GET', '/teamz');
    const search = page.getByLabel('Search requests');
    await search.pressSequentially('eam', { delay: 300 });
    await expect.poll(() => lines(page).count()).toBe(2);
    expect(await search.inputValue()).toBe('eam');
    await search.fill('NO path');
    await page.getByRole('link', { name: /GET \/teamz/ }).waitFor();
    await expect.poll(() => lines(page).count()).toBe(1);
    await search.fill(`${console.server.keyId} teams`);
    await page.getByRole('link', { name: /GET \/teams/ }).waitFor();
  });

  it('shows the line of a request that is opened by its address', async () => {
    await ask(console.server, 300);
    const [first] = await console.server.control.journal.get();
    const page = await console.open(`requests?entry=${first?.id}`);
    const line = page.locator(`a[data-id="${first?.id}"]`);
    await line.waitFor();
    await expect
      .poll(async () => {
        const box = await line.boundingBox();
        return box !== null && box.y > 0 && box.y + box.height <= 720;
      })
      .toBe(true);
  });

  it('names what failed, and capitalizes no identifier', async () => {
    const { keyId, control } = console.server;
    await control.keys.disable(keyId);
    await caller().send('GET', '/teams');
    await caller().send('GET', '/teams', { credential: { keyId: 'key_nobody', secret: '0'.repeat(64) } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /401 GET \/teams unknown key/ }).waitFor();
    await page.getByRole('link', { name: /403 GET \/teams key disabled/ }).click();
    expect(await page.locator('.reason').innerText()).toContain(`key disabled ${keyId} is disabled`);
  });

  it('is used by keys: search, rows, open, close, help', async () => {
    await caller().send('GET', '/teams');
    await caller().send('GET', '/connections');
    const page = await console.open('requests');
    await lines(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('j?/');
    expect(await page.getByLabel('Search requests').inputValue()).toBe('j?/');
    await page.getByLabel('Search requests').fill('');
    await expect.poll(() => lines(page).count()).toBe(2);
    for (const key of ['Escape', 'j', 'j', 'k', 'j', 'Enter']) await page.keyboard.press(key);
    const entry = page.getByRole('region', { name: /^Request \d/ });
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

  it('is gone through by the arrows', async () => {
    await caller().send('GET', '/teams');
    await caller().send('GET', '/connections');
    const page = await console.open('requests');
    await page.getByRole('link', { name: /GET \/connections/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: /^Request \d/ })
      .getByRole('heading', { name: '/teams' })
      .waitFor();
  });
});
