import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { Caller } from '../server/support/caller.js';
import { useServers } from '../server/support/start.js';
import { describePages, originOf, refresh, useConsole } from './support/browser.js';

describePages('a session', () => {
  const servers = useServers();
  const console = useConsole();

  it('begins by a link that lets one browser in, whose token stays nowhere', async () => {
    const page = await console.open();
    const link = String(await console.server.control.consoleLink());
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('First request').waitFor();
    await expect.poll(() => page.url()).toBe(`${originOf(console.server)}/#/`);
    await page.goBack();
    expect(page.url()).not.toContain('t=');
    expect(await page.context().cookies()).toEqual([]);
    const elsewhere = await console.openElsewhere();
    const kept = await elsewhere.evaluate('JSON.stringify([localStorage.length, sessionStorage.length])');
    expect(kept).toBe('[0,1]');
    // As in a browser that knows nothing: tabs of one share their session.
    await elsewhere.evaluate('sessionStorage.clear()');
    await elsewhere.goto('about:blank');
    await elsewhere.goto(link);
    await elsewhere.getByText('already used').waitFor();
  });

  it('is shared with another tab, which is where its address says', async () => {
    const page = await console.open('teams');
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Connections' }).click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await other.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  });

  it('is over when the server is started again, and then says how to get a new link', async () => {
    const data = await servers.directory();
    const first = await startServer({ http: true, data, console: true });
    const page = await console.elsewhere();
    await page.goto(String(await first.control.consoleLink()));
    await page.getByText('First request').waitFor();
    const port = Number(new URL(originOf(first)).port);
    await first.close();
    await refresh(page);
    await page.getByText('The server does not respond').first().waitFor();
    const second = await servers.start({ data, console: { port } });
    await refresh(page);
    await page.getByText('This session has ended').waitFor();
    await page.getByText('orgctl local console', { exact: true }).waitFor();
    await page.goto(String(second.console));
    await page.getByText('First request').waitFor();
  });
});

/** Shows a page of another origin, on this machine, too: a browser sends cookies of one port to all others. */
async function showStranger(page: Page, html = ''): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>stranger</title>${html}`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
}

describePages('the console, towards others,', () => {
  const console = useConsole();

  it('answers no page of another origin, and is shown in no frame of it', async () => {
    const own = await console.open();
    const bearer = await own.evaluate('sessionStorage.getItem("session")');
    expect(bearer).toContain('bearer');
    const page = await own.context().newPage();
    await showStranger(page, `<iframe src="${await console.server.control.consoleLink()}"></iframe>`);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/_control/status'],
      ['POST', '/_control/reset'],
      ['POST', '/session'],
    ]) {
      const asked = `fetch('${originOf(console.server)}${path}', { method: '${method}',
        headers: { authorization: 'Bearer ' + ${bearer}.bearer } }).then(({ status }) => status, () => 'refused')`;
      expect(await page.evaluate(asked), `${method} ${path}`).toBe('refused');
    }
    // A form and a script ask without asking whether they may; the server refuses them itself.
    const script = `new Promise((done) => {
      const script = document.createElement('script');
      script.onload = () => done('loaded'); script.onerror = () => done('refused');
      script.src = '${originOf(console.server)}/console.js'; document.head.append(script);
    })`;
    expect(await page.evaluate(script)).toBe('refused');
    expect(await page.frameLocator('iframe').locator('#console').count()).toBe(0);
  });

  it('shows names as text, whatever they look like', async () => {
    const name = '<img src=x onerror=globalThis.struck=true>';
    const config = { host: name, port: 1, database: name, user: name, password: 'p', ssl: true };
    const caller = new Caller(console.server);
    await caller.send('POST', '/teams', { body: { name } });
    await caller.send('POST', '/connections', { body: { name, type: 'pg', config } });
    await console.server.control.keys.issue({ name });
    const page = await console.open('keys');
    for (const view of ['API keys', 'Teams', 'Connections', 'Requests']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      if (view === 'Requests') await page.getByRole('link', { name: /POST/ }).first().click();
      // The journal masks what is like a parameter.
      await page.getByText('<img src=').first().waitFor();
      expect(await page.locator('main img').count(), view).toBe(0);
    }
    expect(await page.evaluate('globalThis.struck')).toBeUndefined();
  });
});
