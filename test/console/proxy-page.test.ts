import { expect, it, onTestFinished } from 'vitest';
import { useBuiltTool } from '../support/built-tool.js';
import { startCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { describePages, useBrowser } from './support/browser.js';

const service = useService({});

describePages("a proxy's page", () => {
  useBuiltTool();
  const browser = useBrowser();

  it('shows requests, explanations and fault rules, and no control', async () => {
    const args = ['proxy', '--port', '0', '--console-port', '0', '--fault', 'GET /teams=503x1', '-o', 'json'];
    const { system, ended } = startCli(args, { env: service.environment() });
    onTestFinished(async () => {
      system.raise('SIGTERM');
      await ended;
    });
    await expect.poll(() => system.stdoutText(), { timeout: 10_000 }).toContain('\n');
    const ready: { url: string; console: string } = JSON.parse(system.stdoutText());
    await fetch(`${ready.url}/teams`);
    const headers = { 'x-api-key': service.server.keyId, 'x-api-timestamp': '1', 'x-api-signature': 'a' };
    await fetch(`${ready.url}/quotas`, { headers });
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
});
