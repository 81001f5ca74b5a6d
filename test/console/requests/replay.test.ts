import { expect, it } from 'vitest';
import { signedHeaders } from '../../../src/signing/index.js';
import { Caller } from '../../server/support/caller.js';
import { describePages, useBrowser, useConsole } from '../support/browser.js';

const browser = useBrowser();

describePages('a request of the journal', () => {
  const console = useConsole(browser);
  const caller = () => new Caller(console.server);

  it('fails, says why, and is corrected and accepted on one screen', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = { method: 'GET', target: '/teams', timestamp, contentType: '', body: Buffer.alloc(0) };
    const headers = signedHeaders(console.server, signed);
    await caller().send('GET', '/teams?limit=5', { auth: 'none', headers });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /401/ }).click();
    await page.getByRole('button', { name: 'Fix and replay' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('200', { exact: true }).waitFor();
    await answer.getByText('"total": 0').waitFor();
    await page.getByText('query-missing').waitFor();
    await page.getByRole('link', { name: /200 GET \/teams\?limit=5/ }).waitFor();
    expect(await page.content()).not.toContain(console.server.secret);
  });

  it('is corrected step by step, as far as each explanation goes', async () => {
    await console.server.control.quotas.set({ teams: 0 });
    await caller().send('POST', '/teamz', { body: { name: 'one' } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /404/ }).click();
    await page.getByText('Sends it to /teams instead.').waitFor();
    await page.getByRole('button', { name: 'Fix and replay' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('Raises the limit to 1 teams').waitFor();
    await answer.getByRole('button', { name: 'Fix and replay' }).click();
    await answer.getByText('201', { exact: true }).waitFor();
  });

  it('is edited and sent, with what was left as it was unmasked', async () => {
    const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'swordfish', ssl: true };
    await caller().send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
    const page = await console.open('requests');
    await page.getByRole('link', { name: /201/ }).click();
    await page.getByRole('button', { name: 'Edit and send' }).click();
    expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toContain('********');
    await page.getByLabel('Target').fill('/connections?again=1');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('/connections?again').waitFor();
    const [sent] = await console.server.control.journal.get({ limit: 1 });
    const [first] = await console.server.control.journal.get();
    expect(sent?.bodyBytes).toBe(first?.bodyBytes);
    await page.getByLabel('Method').last().selectOption('GET');
    await page.getByLabel('Target').fill('/teams');
    await page.getByRole('textbox', { name: 'Body' }).fill('');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await answer.getByText('"data": []').waitFor();
    expect(await page.content()).not.toContain('swordfish');
  });
});

describePages('the overview', () => {
  const console = useConsole(browser);

  it('shows live how many requests come, how they end, why, and by which keys', async () => {
    const page = await console.open();
    await page.getByText('No stored request was refused.').waitFor();
    const caller = new Caller(console.server);
    await caller.send('GET', '/teams');
    await caller.send('GET', '/nowhere');
    await page.getByText('1 accepted').waitFor();
    await page.getByText('1 refused (4xx)').waitFor();
    await page.getByText('the API has no path /nowhere').waitFor();
    expect(await page.locator('.chart rect.warn').count()).toBe(1);
    await page.getByRole('link', { name: '2 requests' }).click();
    await page.getByRole('link', { name: /200 GET \/teams/ }).waitFor();
  });
});
