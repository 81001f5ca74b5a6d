import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { hostilePeer } from '../support/hostile-peer.js';
import { startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { describePages, goTo, useBrowser } from './support/browser.js';

const service = useService();

/** A proxy with a console, until the end of the test. */
async function startProxy(
  env: Record<string, string | undefined>,
  ...flags: string[]
): Promise<{ url: string; console: string }> {
  const args = ['proxy', '--port', '0', '--console-port', '0', '-o', 'json', ...flags];
  const { system, ended } = startCli(args, { env });
  onTestFinished(async () => {
    system.raise('SIGTERM');
    await ended;
  });
  await expect.poll(() => system.stdoutText()).toContain('\n');
  return JSON.parse(system.stdoutText());
}

const signed = { 'x-api-key': 'key_other000', 'x-api-timestamp': '1', 'x-api-signature': 'a'.repeat(64) };

async function textOfEntry(page: Page, id: number): Promise<string> {
  await goTo(page, `requests?entry=${id}`);
  const entry = page.getByRole('region', { name: `Request ${id}` });
  await entry.locator('h2').waitFor();
  return entry.innerText();
}

const worst =
  '\u202e\0\u001b[31m<img src=x onerror=alert(1)><script>alert(2)</script>\u200b"\'`$(reboot)'.repeat(300);

/** With markup as its reason. */
function response(status: number, type: string, body: string): string {
  const head = `HTTP/1.1 ${status} ${worst.slice(8, 60)}\r\nContent-Type: ${type}`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const hostile: Readonly<Record<string, string>> = {
  '/header': `HTTP/1.1 200 OK\r\nX-Huge: ${'h'.repeat(15_000)}\r\nContent-Length: 0\r\n\r\n`,
  '/html': response(401, 'text/html', '<img src=x onerror=alert(1)><script>alert(2)</script>'),
  '/worst': response(403, 'application/json', JSON.stringify({ message: worst.slice(0, 10_000), id: worst })),
  '/deep': response(200, 'application/json', '['.repeat(8000) + ']'.repeat(8000)),
};

describePages("a proxy's page", () => {
  const newPage = useBrowser();

  it('shows requests, explanations, commands and fault rules, and no control', async () => {
    const ready = await startProxy(service.environment(), '--fault', 'GET /teams=503x1');
    await fetch(`${ready.url}/teams`);
    await fetch(`${ready.url}/quotas`, { headers: { ...signed, 'x-api-key': service.server.keyId } });
    const page = await newPage();
    await page.goto(ready.console);
    await page.getByText('1 hit').waitFor();
    expect(await page.getByRole('navigation', { name: 'Views' }).innerText()).toBe('Requests');
    const text = await textOfEntry(page, 2);
    expect(text).toContain('timestamp');
    const command = `orgctl request GET /quotas --base-url ${ready.url} --key-id ${service.server.keyId}`;
    expect(text).toContain(command);
    const buttons = await page.getByRole('button').allInnerTexts();
    expect(buttons.filter((name) => /Clear|Send|Fix/.test(name))).toEqual([]);
  });

  it('shows what a hostile service sends as text, and requests nothing that the text names', async () => {
    const paths = Object.keys(hostile);
    const peer = await hostilePeer(({ target }) => hostile[target]);
    const ready = await startProxy(service.environment({ ORGCTL_BASE_URL: peer.origin }));
    for (const path of paths) await (await fetch(ready.url + path, { headers: signed })).arrayBuffer();
    const page = await newPage();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(ready.console);
    await page.getByText('/deep').waitFor();
    // A refusal is numbered once it is explained, perhaps after the next request.
    const texts: string[] = [];
    for (const [at, path] of paths.entries()) {
      texts.push(await textOfEntry(page, at + 1));
      expect(await page.locator('img, section script').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(360);
    }
    expect(paths.filter((path) => !texts.some((text) => text.includes(`GET ${path}\n`)))).toEqual([]);
  });
});
