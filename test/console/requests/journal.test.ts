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
    await page.getByRole('link', { name: /404 GET \/nothing route/ }).waitFor();
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
    await entry.getByText('sign path, ? and query exactly as on the request line').waitFor();
    const [wanted = '', instead = ''] = await entry.locator('.canonical pre').allInnerTexts();
    expect(wanted).toContain('GET\\n\n/teams?limit=5\\n');
    expect(instead).toContain('GET\\n\n/teams\\n');
    await entry.getByText('They differ from byte 10 on, in the target.').waitFor();
    expect(await entry.locator('.lines pre').first().innerText()).toContain('curl');
    await page.reload();
    await entry.getByText('query-missing').waitFor();
    await entry.getByRole('link', { name: 'Close' }).click();
    await expect.poll(() => entry.count()).toBe(0);
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
    await page.getByRole('button', { name: 'Go on (1 new)' }).click();
    await expect.poll(() => lines(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No request yet').waitFor();
    expect(console.server.control.journal.count()).toBe(0);
  });

  it('has room for 10,000, of which only those in sight are in the page', async () => {
    const page = await console.open('requests');
    await page.getByText('No request yet').waitFor();
    await ask(console.server, 10_000);
    const missed = async () => {
      const text = await page.locator('.state.warn').allInnerTexts();
      return Number(text.join().replace(/\D/g, ''));
    };
    await expect.poll(async () => (await listed(page)) + (await missed())).toBe(10_000);
    expect(await lines(page).count()).toBeLessThan(100);
    // What is read stays where it is, whatever comes.
    await page.evaluate(`${list}.scrollTop = 30 * 500`);
    const read = (): Promise<{ href: string; place: number }> =>
      page.evaluate(`(() => {
        const below = ${list}.getBoundingClientRect().top + 100;
        const line = document.elementFromPoint(innerWidth / 2, below).closest('li');
        return { href: line.querySelector('a').href, place: Number(line.ariaPosInSet) };
      })()`);
    await expect.poll(async () => (await read()).place).toBeGreaterThan(500);
    const before = await read();
    await ask(console.server, 500);
    await expect.poll(async () => (await read()).place).not.toBe(before.place);
    expect((await read()).href).toBe(before.href);
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
