import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { describePages, originOf, useBrowser, useConsole } from './support/browser.js';

const browser = useBrowser();

/** A page of another origin, on this machine, too: a browser sends cookies of one port to all others. */
async function strangersPage(page: Page, html = ''): Promise<void> {
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
  const console = useConsole(browser);

  it('takes the token of its link out of address and history', async () => {
    const page = await console.open();
    const token = String(console.server.console).replace(/.*#t=/, '');
    expect(page.url()).not.toContain(token);
    await page.goto(String(await console.server.control.consoleLink()));
    await page.getByText('First request').waitFor();
    await expect.poll(() => page.url()).toBe(`${originOf(console.server)}/#/`);
    await page.goBack();
    expect(page.url()).not.toContain('t=');
  });

  it('lets a link in once', async () => {
    const page = await console.open();
    const link = String(await console.server.control.consoleLink());
    const first = await page.context().newPage();
    // Another browser: tabs of one share their session.
    const other = await page.context().browser()?.newContext();
    const second = await other?.newPage();
    await first.goto(link);
    await first.getByText('First request').waitFor();
    await second?.goto(link);
    await second?.getByText('was already used').waitFor();
    expect(second).toBeDefined();
  });

  it('keeps no cookie, and its bearer to one tab', async () => {
    const page = await console.open();
    expect(await page.context().cookies()).toEqual([]);
    const kept = await page.evaluate('JSON.stringify([localStorage.length, sessionStorage.length])');
    expect(kept).toBe('[0,1]');
  });

  it('answers no page of another origin', async () => {
    const page = await (await console.open()).context().newPage();
    const bearer = await console.open().then((own) => own.evaluate('sessionStorage.getItem("bearer")'));
    await strangersPage(page);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/_control/status'],
      ['POST', '/_control/reset'],
      ['POST', '/session'],
    ]) {
      const asked = `fetch('${originOf(console.server)}${path}', { method: '${method}',
        headers: { authorization: 'Bearer ${bearer}' } }).then(({ status }) => status, () => 'refused')`;
      expect(await page.evaluate(asked), `${method} ${path}`).toBe('refused');
    }
    // A form and a script ask without asking whether they may; the server refuses them itself.
    const script = `new Promise((done) => {
      const script = document.createElement('script');
      script.onload = () => done('loaded'); script.onerror = () => done('refused');
      script.src = '${originOf(console.server)}/console.js'; document.head.append(script);
    })`;
    expect(await page.evaluate(script)).toBe('refused');
  });

  it('is shown in no frame', async () => {
    const page = await (await console.open()).context().newPage();
    await strangersPage(page, `<iframe src="${await console.server.control.consoleLink()}"></iframe>`);
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
