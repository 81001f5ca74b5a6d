import { expect, it } from 'vitest';
import { languages, linesFor } from '../../src/console/keys/first-request.js';
import { Caller } from '../server/support/caller.js';
import { describePages, refresh, useConsole } from './support/browser.js';

describePages('the console', () => {
  const console = useConsole();
  const caller = () => new Caller(console.server);

  it('has a first request to copy in each language, which is folded away once one was accepted', async () => {
    const page = await console.open();
    const { url, caFile } = console.server;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // It says so for a moment only.
    const said = page.getByText('Copied', { exact: true }).waitFor();
    await Promise.all([said, page.getByRole('button', { name: 'Copy the address' }).click()]);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
    await page.getByRole('button', { name: 'Issue a key and try it' }).click();
    await page.getByLabel('Name').fill('first');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByText('You will not be able to see it again').waitFor();
    const [keyId = '', secret = ''] = await page
      .getByRole('dialog')
      .locator('.copyable code')
      .allInnerTexts();
    for (const language of languages) {
      await page.getByText(language, { exact: true }).click();
      const lines = await page.getByRole('dialog').locator('pre').innerText();
      expect(lines).toBe(linesFor(language, { url, caFile, keyId, secret }));
    }
    await caller().send('GET', '/quotas', { credential: { keyId, secret } });
    await refresh(page);
    await page.getByRole('button', { name: 'Done' }).click();
    const fold = page.locator('details', { hasText: 'First request' });
    await expect.poll(() => fold.getAttribute('open')).toBe(null);
  });

  it('has an address for each view, which says what to do where there is nothing; reload and back find it', async () => {
    const page = await console.open();
    const heading = page.locator('h1');
    for (const [name, said] of [
      ['API keys'],
      ['Connections', 'No connections yet'],
      ['Teams', 'No teams yet'],
      ['API'],
      ['Requests', 'appear here as the server answers them'],
      ['Signature check'],
      ['Test controls'],
      ['Overview'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect.poll(() => heading.textContent()).toBe(name);
      await expect.poll(() => page.title()).toContain(name);
      if (said !== undefined) await page.getByText(said).waitFor();
    }
    await page.goBack();
    await expect.poll(() => heading.textContent()).toBe('Test controls');
    await page.reload();
    await expect.poll(() => heading.textContent()).toBe('Test controls');
  });

  it('shows live quotas, how requests end, why and by which keys, and only what is not at rest', async () => {
    const page = await console.open();
    const meter = (used: number) => page.getByRole('meter', { name: `teams: ${used} of 20 used` });
    await meter(0).waitFor();
    await page.getByText('No stored request was refused.').waitFor();
    expect(await page.locator('.state').count()).toBe(0);
    await caller().send('POST', '/teams', { body: { name: 'platform' } });
    await caller().send('GET', '/nowhere');
    await meter(1).waitFor();
    await page.getByText('1 accepted').waitFor();
    await page.getByText('1 refused (4xx)').waitFor();
    await page.getByText('the API has no path /nowhere').waitFor();
    expect(await page.locator('.chart rect.warn').count()).toBe(1);
    await page.getByRole('link', { name: '2 requests' }).click();
    await page.getByRole('link', { name: /201 POST \/teams/ }).waitFor();
    await page.goBack();
    await page.getByText('the API has no path /nowhere').waitFor();
    await console.server.control.quotas.set({ teams: 1 });
    await console.server.control.faults.set(['* *=503']);
    await new Caller(console.server, { atFault: true }).send('GET', '/teams');
    await page.locator('.refusals .bad', { hasText: '503' }).waitFor();
    await console.server.control.clock.advance('10m');
    await refresh(page);
    await page.getByText('full', { exact: true }).waitFor();
    await page.getByText('1 fault rule is active. The clock is 10 minutes ahead.').waitFor();
  });

  it('tells times as ages by the clock that wrote them, with the exact time on hover', async () => {
    await console.server.control.clock.advance('-3h');
    await console.server.control.keys.issue({ name: 'old' });
    await console.server.control.clock.advance('3h');
    const page = await console.open('keys');
    const age = page.getByRole('row', { name: 'old' }).locator('.issued time');
    await expect.poll(() => age.textContent()).toBe('3 h ago');
    expect(await age.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('fits a phone', async () => {
    await console.server.control.keys.issue({ name: 'a name that goes on and on '.repeat(8).trim() });
    const config = { host: 'db.internal.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
    const body = { name: 'app', type: 'postgresql', config: { ...config, password: 'pw' } };
    await caller().send('POST', '/connections', { body });
    const page = await console.open();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [view, heading] of [
      ['overview', 'Overview'],
      ['teams', 'Teams'],
      ['requests', 'Requests'],
      ['signature-check', 'Signature check'],
      ['test-controls', 'Test controls'],
      ['api', 'API'],
      ['api?call=connections.create', 'API'],
      ['keys', 'API keys'],
      ['connections', 'Connections'],
    ] as const) {
      await page.evaluate(`location.hash = '#/${view}'`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      if (view.includes('call=')) await page.getByText('Show the snippets', { exact: true }).click();
      const menu = page.getByRole('button', { name: /^Actions for/ }).last();
      const hasRows = view === 'keys' || view === 'connections';
      if (hasRows) await menu.click();
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
      if (!hasRows) continue;
      const { x = -1, width = 999 } = (await page.getByRole('menu').boundingBox()) ?? {};
      expect(x, view).toBeGreaterThanOrEqual(0);
      expect(x + width, view).toBeLessThanOrEqual(360);
    }
    const type = page.getByRole('cell', { name: 'postgresql' });
    expect((await type.boundingBox())?.height).toBeLessThan(40);
  });
});
