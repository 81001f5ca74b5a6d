import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { Caller } from '../server/support/caller.js';
import { useServers } from '../server/support/start.js';
import { describePages, originOf, useBrowser, useConsole } from './support/browser.js';

const browser = useBrowser();

const run = promisify(execFile);

describePages('the console', () => {
  const console = useConsole(browser);

  it('has an address for each view, and reload and back find it', async () => {
    const page = await console.open();
    const heading = page.locator('h1');
    for (const name of [
      'API keys',
      'Connections',
      'Teams',
      'API',
      'Requests',
      'Signature check',
      'Test controls',
      'Overview',
    ]) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect.poll(() => heading.textContent()).toBe(name);
      await expect.poll(() => page.title()).toContain(name);
    }
    await page.goBack();
    await expect.poll(() => heading.textContent()).toBe('Test controls');
    await page.reload();
    await expect.poll(() => heading.textContent()).toBe('Test controls');
  });

  it('shows quotas that move when something is made, by whomever', async () => {
    const page = await console.open();
    const meter = (used: number) => page.getByRole('meter', { name: `teams: ${used} of 20 used` });
    await meter(0).waitFor();
    await new Caller(console.server).send('POST', '/teams', { body: { name: 'platform' } });
    await meter(1).waitFor();
    await console.server.control.quotas.set({ teams: 1 });
    await page.getByText('full', { exact: true }).waitFor();
  });

  it('says what is not at rest, and nothing of what is', async () => {
    const page = await console.open();
    await page.getByText('First request').waitFor();
    expect(await page.locator('.state').count()).toBe(0);
    await console.server.control.faults.set(['* *=503']);
    await console.server.control.clock.advance('10m');
    await page.getByText('1 fault rule is active. The clock is 10 minutes ahead.').waitFor();
  });

  it('copies what is wanted elsewhere', async () => {
    const page = await console.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the address' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(console.server.url);
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

  it('says what to do where there is nothing', async () => {
    const page = await console.open('teams');
    await page.getByText('No teams yet').waitFor();
    await page.getByRole('link', { name: 'Connections' }).click();
    await page.getByText('No connections yet').waitFor();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('No requests yet').waitFor();
    await page.getByLabel('Refused only').check();
    await page.getByText('No matching requests').waitFor();
  });

  it('fits a phone', async () => {
    await console.server.control.keys.issue({ name: 'a name that goes on and on '.repeat(8).trim() });
    const page = await console.open('overview', { viewport: { width: 360, height: 740 } });
    for (const view of [
      ...['overview', 'keys', 'connections', 'teams', 'requests', 'signature-check', 'test-controls'],
      ...['api', 'api?call=connections.create'],
    ]) {
      await page.goto(`${originOf(console.server)}/#/${view}`);
      await page.locator('h1').waitFor();
      if (view.includes('call=')) await page.getByText('Show the snippets', { exact: true }).click();
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
    }
    const config = { host: 'db.internal.example.com', port: 5432, database: 'app', user: 'app', ssl: true };
    const body = { name: 'app', type: 'postgresql', config: { ...config, password: 'pw' } };
    await new Caller(console.server).send('POST', '/connections', { body });
    for (const view of ['keys', 'connections']) {
      await page.goto(`${originOf(console.server)}/#/${view}`);
      await page
        .getByRole('button', { name: /^Actions for/ })
        .last()
        .click();
      const { x = -1, width = 999 } = (await page.getByRole('menu').boundingBox()) ?? {};
      expect(x, view).toBeGreaterThanOrEqual(0);
      expect(x + width, view).toBeLessThanOrEqual(360);
    }
    const type = page.getByRole('cell', { name: 'postgresql' });
    expect((await type.boundingBox())?.height).toBeLessThan(40);
  });
});

describePages('the first request', () => {
  const console = useConsole(browser, { http: false });

  it.each(['curl', 'Node', 'Python'])('in %s works as pasted, and is then folded away', async (language) => {
    const page = await console.open();
    const fold = page.locator('details', { hasText: 'First request' });
    await fold.waitFor();
    // A reset does not take back what was accepted.
    const wasOpen = (await fold.getAttribute('open')) !== null;
    if (!wasOpen) await fold.locator('summary').click();
    await page.getByRole('button', { name: 'Issue a key and try it' }).click();
    await page.getByLabel('Name').fill('first');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByText(language, { exact: true }).click();
    const lines = await page.locator('section', { hasText: 'First request' }).locator('pre').innerText();
    const { stdout } = await run('bash', ['-c', lines], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    });
    expect(stdout).toContain('"remaining":18');
    await page.getByRole('button', { name: 'Done' }).click();
    if (wasOpen) await expect.poll(() => fold.getAttribute('open')).toBe(null);
  });
});

describePages('several organizations', () => {
  const seed = {
    organizations: ['acme', 'other'].map((name) => ({
      name,
      id: `org_${name}`,
      keys: [{ id: `key_${name}` }],
    })),
  };
  const console = useConsole(browser, { seed });

  it('are looked at one at a time, which the address says', async () => {
    const page = await console.open('keys');
    await page.getByText('key_acme', { exact: true }).waitFor();
    expect(await page.getByText('key_other').count()).toBe(0);
    await page.getByLabel('Organization').selectOption({ label: 'other' });
    await page.getByText('key_other', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Teams' }).click();
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByLabel('Name').fill('theirs');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('theirs created.').waitFor();
    await page.reload();
    await page.locator('.name', { hasText: 'theirs' }).waitFor();
    await page.getByLabel('Organization').selectOption({ label: 'acme' });
    await page.getByText('No teams yet').waitFor();
    await page.goto(page.url().replace(/#.*/, '#/keys?organization=org_nobody'));
    await page.getByText('Organization "org_nobody" not found.').waitFor();
    await page.getByText('key_acme', { exact: true }).waitFor();
    expect(page.url()).not.toContain('nobody');
  });
});

describePages('a session', () => {
  const servers = useServers();
  const console = useConsole(browser);

  it('is asked for where there is none', async () => {
    const page = await console.open('overview', {});
    await page.goto('about:blank');
    const other = await page.context().newPage();
    await other.goto(originOf(console.server));
    await other.getByText('orgctl local console').waitFor();
  });

  it('is shared with another tab, which is where its address says', async () => {
    const page = await console.open('teams');
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Connections' }).click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await other.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  });

  it('is opened by the code that the terminal shows, and not by another one', async () => {
    const page = await console.open('overview', {});
    await page.goto('about:blank');
    const other = await page.context().newPage();
    const { console: address, code } = await console.server.control.consoleInvitation();
    await other.goto(address);
    const field = other.getByLabel('Code');
    await field.fill('0000-0000');
    await field.press('Enter');
    await other.getByText('This link or code is wrong').waitFor();
    await field.fill(code.toLowerCase());
    await field.press('Enter');
    await other.getByRole('navigation', { name: 'Views' }).waitFor();
    await other.reload();
    await other.getByRole('navigation', { name: 'Views' }).waitFor();
  });

  it('goes on, where it was, when the server of the same data is started again', async () => {
    const data = await servers.directory();
    const first = await startServer({ http: true, data, console: true });
    const page = await console.open();
    await page.goto(String(await first.control.consoleLink()));
    await page.getByText('First request').waitFor();
    const port = Number(new URL(originOf(first)).port);
    await page.getByRole('link', { name: 'Teams' }).click();
    await first.close();
    await page.getByText('The server does not respond').first().waitFor();
    const second = await servers.start({ data, console: { port } });
    await second.control.quotas.set({ teams: 3 });
    await page.getByText('The server responds').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('meter', { name: 'teams: 0 of 3 used' }).waitFor();
  });

  it('is over when the server is another one, and says how to open one again', async () => {
    const first = await startServer({ http: true, console: true });
    const page = await console.open();
    await page.goto(String(await first.control.consoleLink()));
    await page.getByText('First request').waitFor();
    const port = Number(new URL(originOf(first)).port);
    await first.close();
    const writeCommand = (words: readonly string[]) => `orgctl ${words.join(' ')} --data '/a b'`;
    await servers.start({ console: { port }, writeCommand });
    await page.getByText('Session not found').waitFor();
    await page.getByText("orgctl local console --data '/a b'", { exact: true }).waitFor();
  });
});
