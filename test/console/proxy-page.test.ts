import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { nodeLines, pythonLines } from '../../src/console/snippets/program-lines.js';
import { orgctlLines, signedCurlLines } from '../../src/console/snippets/request-lines.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { describePages, useBrowser } from './support/browser.js';

const run = promisify(execFile);
const service = useService();

interface Ready {
  readonly url: string;
  readonly console: string;
}

/** A proxy with a console, until the end of the test. */
async function startProxy(env: Record<string, string | undefined>, ...flags: string[]): Promise<Ready> {
  const args = ['proxy', '--port', '0', '--console-port', '0', '-o', 'json', ...flags];
  const { system, ended } = startCli(args, { env });
  onTestFinished(async () => {
    system.raise('SIGTERM');
    await ended;
  });
  await expect.poll(() => system.stdoutText()).toContain('\n');
  return JSON.parse(system.stdoutText());
}

function signHeaders(keyId: string) {
  return { 'x-api-key': keyId, 'x-api-timestamp': '1', 'x-api-signature': 'a'.repeat(64) };
}

/** Opens an entry of the journal of a proxy whose link was used. */
async function openEntry(page: Page, id: number): Promise<string> {
  await page.goto(`${new URL(page.url()).origin}/#/requests?entry=${id}`);
  const entry = page.getByRole('region', { name: `Request ${id}` });
  await entry.locator('h2').waitFor();
  // What is offered depends on the status, by which a proxy has this view alone.
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect.poll(() => views.innerText()).toBe('Requests');
  return entry.innerText();
}

const worst =
  '\u202e\0\u001b[31m<img src=x onerror=alert(1)><script>alert(2)</script>\u200b"\'`$(reboot)'.repeat(300);

const hostile: Readonly<Record<string, string>> = {
  '/header': `HTTP/1.1 200 OK\r\nX-Huge: ${'h'.repeat(15_000)}\r\nContent-Length: 0\r\n\r\n`,
  '/html': answer(401, 'text/html', '<img src=x onerror=alert(1)><script>alert(2)</script>'),
  '/worst': answer(403, 'application/json', JSON.stringify({ message: worst.slice(0, 10_000), id: worst })),
  '/deep': answer(200, 'application/json', '['.repeat(8000) + ']'.repeat(8000)),
};

/** With markup as its reason. */
function answer(status: number, type: string, body: string): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} ${worst.slice(8, 60)}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

describePages("a proxy's page", () => {
  const browser = useBrowser();

  it('shows requests, explanations and fault rules, and no control', async () => {
    const ready = await startProxy(service.environment(), '--fault', 'GET /teams=503x1');
    await fetch(`${ready.url}/teams`);
    await fetch(`${ready.url}/quotas`, { headers: signHeaders(service.server.keyId) });
    const { page } = browser();
    const refused: string[] = [];
    page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()));
    await page.goto(ready.console);
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
    const text = () => page.locator('body').innerText();
    await expect.poll(text).toContain('1 hit');
    expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).toBe('Requests');
    expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0);
    await page.goto(`${new URL(ready.console).origin}/#/keys?entry=2`);
    await expect.poll(text).toContain('timestamp');
    expect(refused).toEqual([]);
  });

  it('has commands that work as pasted, with the key of the profile for a request without one', async () => {
    const { keyId, secret } = service.server;
    const { url, console } = await startProxy(service.environment());
    await fetch(`${url}/quotas`);
    const { page } = browser();
    await page.goto(console);
    await page.getByText('/quotas').waitFor();
    expect(await openEntry(page, 1)).toContain('Correctly signed request');
    await page.getByText('Show the snippets', { exact: true }).click();
    const call = { method: 'GET', target: '/quotas', body: '' };
    const origin = { url, caFile: undefined, keyId, profile: undefined };
    const forms = [orgctlLines, signedCurlLines, nodeLines, pythonLines];
    const figures = page.locator('figure pre');
    await expect.poll(() => figures.allInnerTexts()).toEqual(forms.map((toLines) => toLines(call, origin)));
    // How the others are pasted, snippets.test.ts shows.
    const env = { PATH: process.env['PATH'], ORGCTL_SECRET: secret };
    const { stdout } = await run('bash', ['-c', signedCurlLines(call, origin)], { env });
    expect(stdout).toMatch(/"remaining": ?\d/);
  });

  it('offers no signed request without any key, and no request that works for one that a rule failed', async () => {
    const peer = await hostilePeer(({ target }) => hostile[target]);
    const env = service.environment({
      ...{ ORGCTL_BASE_URL: peer.origin, ORGCTL_KEY_ID: undefined, ORGCTL_SECRET: undefined },
    });
    const ready = await startProxy(env, '--fault', 'GET /fault=503');
    await fetch(`${ready.url}/deep`);
    await fetch(`${ready.url}/fault?token=t`, { headers: signHeaders('key_other000') });
    const { page } = browser();
    await page.goto(ready.console);
    await page.getByText('/fault?').waitFor();
    expect(await openEntry(page, 1)).not.toContain('Copy as');
    const failed = await openEntry(page, 2);
    expect(failed).toContain('The same request');
    expect(failed).toContain('replace the asterisks');
  });

  it('shows what a hostile service sends as text, and asks nobody for it', async () => {
    const paths = Object.keys(hostile);
    const peer = await hostilePeer(({ target }) => hostile[target]);
    const ready = await startProxy(service.environment({ ORGCTL_BASE_URL: peer.origin }));
    for (const path of paths) {
      await (await fetch(ready.url + path, { headers: signHeaders('key_other000') })).arrayBuffer();
    }
    const { page } = browser();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(ready.console);
    await page.getByText('/deep').waitFor();
    const shown: string[] = [];
    for (const at of paths.keys()) {
      const text = await openEntry(page, at + 1);
      expect(text).not.toContain('?.');
      expect(await page.locator('img, section script').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth'), text).toBeLessThanOrEqual(360);
      shown.push(text);
    }
    for (const path of paths) expect(shown.join()).toContain(`GET ${path}\n`);
  });
});
