import { expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { Caller } from '../support/caller.js';
import { useServers } from '../support/servers.js';
import { describePages, goTo, originOf, refresh, useBrowser, useConsole } from './support/browser.js';

describePages('a session', () => {
  const servers = useServers();
  const newPage = useBrowser();
  const console = useConsole();

  it('begins with a link that lets one browser in, and its tokens are only in sessionStorage', async () => {
    const link = String(await console.server.control.consoleLink());
    const page = await newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).toBe(`${originOf(console.server)}/#/`);
    expect(await page.context().cookies()).toEqual([]);
    const stored = 'JSON.stringify([localStorage.length, sessionStorage.length, history.state])';
    expect(await page.evaluate(stored)).toBe('[0,1,null]');
    const elsewhere = await newPage();
    await elsewhere.goto(link);
    await elsewhere.getByText('already used').waitFor();
  });

  it('is over when the server restarts, and then says how to get a new link', async () => {
    const data = await servers.directory();
    const first = await startServer({ http: true, data, console: true });
    const page = await newPage();
    await page.goto(String(await first.control.consoleLink()));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const port = Number(new URL(originOf(first)).port);
    await first.close();
    await refresh(page);
    await page.getByText('The server does not respond.').waitFor();
    const second = await servers.start({ data, console: { port } });
    await refresh(page);
    await page.getByText('This session has ended').waitFor();
    await page.getByText('orgctl local console', { exact: true }).waitFor();
    await page.goto(String(second.console));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('shows names as text, whatever they look like', async () => {
    const name = '<img src=x onerror=globalThis.struck=true>';
    const config = { host: name, port: 1, database: name, user: name, password: 'p', ssl: true };
    const caller = new Caller(console.server);
    await caller.send('POST', '/teams', { body: { name } });
    await caller.send('POST', '/connections', { body: { name, type: 'pg', config } });
    await console.server.control.keys.issue({ name });
    const page = await console.open();
    for (const view of ['keys', 'teams', 'connections', 'requests?entry=1']) {
      await goTo(page, view);
      await page.getByText('<img src=').first().waitFor();
      expect(await page.locator('main img').count(), view).toBe(0);
    }
    expect(await page.evaluate('globalThis.struck')).toBeUndefined();
  });
});
