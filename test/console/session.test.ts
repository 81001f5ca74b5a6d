import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { Caller } from '../server/support/caller.js';
import { useServers } from '../server/support/start.js';
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
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
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

  it('answers no page of another origin, and is shown in no frame of it', async () => {
    const own = await console.open();
    const bearer = await own.evaluate('sessionStorage.getItem("session")');
    const page = await own.context().newPage();
    // On this machine, too: browsers send cookies of one port to all others.
    const link = await console.server.control.consoleLink();
    const stranger = createServer((_request, response) => {
      const html = `<!doctype html><title>stranger</title><iframe src="${link}"></iframe>`;
      response.setHeader('content-type', 'text/html').end(html);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => stranger.once('listening', resolve));
    onTestFinished(() => void stranger.close());
    const { port } = stranger.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    const origin = originOf(console.server);
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/_control/status'],
      ['POST', '/_control/reset'],
      ['POST', '/session'],
    ]) {
      const asked = `fetch('${origin}${path}', { method: '${method}',
        headers: { authorization: 'Bearer ${bearer}' } }).then(({ status }) => status, () => 'refused')`;
      expect(await page.evaluate(asked), `${method} ${path}`).toBe('refused');
    }
    // A script asks without asking whether it may; the server refuses it itself.
    const script = `new Promise((done) => {
      const script = document.createElement('script');
      script.onload = () => done('loaded'); script.onerror = () => done('refused');
      script.src = '${origin}/console.js'; document.head.append(script);
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
    const page = await console.open();
    for (const view of ['keys', 'teams', 'connections', 'requests?entry=1']) {
      await goTo(page, view);
      await page.getByText('<img src=').first().waitFor();
      expect(await page.locator('main img').count(), view).toBe(0);
    }
    expect(await page.evaluate('globalThis.struck')).toBeUndefined();
  });
});
