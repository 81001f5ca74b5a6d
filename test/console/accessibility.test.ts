import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { describePages, originOf, useBrowser, useConsole } from './support/browser.js';

const browser = useBrowser();

type Theme = 'light' | 'dark';

/** What axe-core finds wrong, each with where. Another theme changes nothing but colours. */
async function violations(page: Page, theme: Theme): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options = theme === 'dark' ? "{ runOnly: ['color-contrast'] }" : '{}';
  const found: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

/** What is folded is not looked at. */
const unfold = "for (const fold of document.querySelectorAll('details:not(.operation)')) fold.open = true";

describePages('the console', () => {
  const console = useConsole(browser);

  it.each<Theme>(['light', 'dark'])(
    'has no violation that axe-core knows of, in a %s theme',
    async (colorScheme) => {
      const caller = new Caller(console.server);
      const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'pw', ssl: true };
      await caller.send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
      await caller.send('POST', '/teams', { body: { name: 'platform' } });
      await caller.send('GET', '/teams?limit=5', { headers: { 'x-api-signature': '0'.repeat(64) } });
      await console.server.control.keys
        .issue({ name: 'spare' })
        .then(({ id }) => console.server.control.keys.disable(id));
      await console.server.control.snapshot();
      await console.server.control.faults.set(['GET /never=503']);
      const [refused] = await console.server.control.journal.get({ refused: true });
      const page = await console.open('overview', { colorScheme });
      for (const view of [
        'overview',
        'keys',
        'connections',
        'teams',
        `requests?entry=${refused?.id}`,
        'requests',
        'signature-check',
        'test-controls',
        'api',
        'api?call=connections.create',
      ]) {
        await page.goto(`${originOf(console.server)}/#/${view}`);
        await page.locator('h1').waitFor();
        await page.locator('.panel, .list, .group, .entry h2, .lines-of-journal li').first().waitFor();
        await page.evaluate(unfold);
        if (view.includes('entry')) {
          await page.getByRole('button', { name: 'Fix and replay' }).click();
          await page.locator('.sent .line').waitFor();
        }
        // Only the journal is laid out otherwise at 800.
        const narrower = view.startsWith('requests') ? [360, 800] : [360];
        for (const width of colorScheme === 'light' ? [...narrower, 1440] : [1440]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await violations(page, colorScheme), `${view} at ${width}`).toEqual([]);
        }
      }
      for (const [view, button] of [
        ['keys', 'Issue a key'],
        ['test-controls', 'Reset…'],
      ]) {
        await page.goto(`${originOf(console.server)}/#/${view}`);
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        expect(await violations(page, colorScheme), button).toEqual([]);
        await page.keyboard.press('Escape');
      }
      for (const [view, row, action] of [
        ['keys', 'spare', 'Revoke'],
        ['connections', 'app', 'Edit'],
      ] as const) {
        await page.goto(`${originOf(console.server)}/#/${view}`);
        await page.getByRole('button', { name: `Actions for ${row}` }).click();
        expect(await violations(page, colorScheme), `menu of ${row}`).toEqual([]);
        await page.getByRole('menuitem', { name: action }).click();
        await page.getByRole('dialog').waitFor();
        expect(await violations(page, colorScheme), action).toEqual([]);
        await page.keyboard.press('Escape');
      }
    },
  );

  it('is used without a mouse: a key is issued and disabled', async () => {
    const page = await console.open('keys');
    await page.getByRole('button', { name: 'Issue a key' }).waitFor();
    await tabTo(page, 'Skip to content');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Issue a key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('by hand');
    await page.keyboard.press('Enter');
    await page.getByText('You will not be able to see it again').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Issue a key');
    await tabTo(page, 'Actions for by hand');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Rename…');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).toBe('Revoke…');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Actions for by hand');
    expect(await page.getByRole('menu').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Rename…');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Name');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Actions for by hand');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Rename…');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('by hand disabled').waitFor();
    // The focus stays where it was, on what undoes it.
    await expect.poll(() => focused(page)).toBe('Actions for by hand');
  });

  it('closes a menu that the focus leaves', async () => {
    await console.server.control.keys.issue({ name: 'spare' });
    const page = await console.open('keys');
    await page.getByRole('button', { name: 'Actions for spare' }).click();
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for spare' }).click();
    await page.locator('h1').click();
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
  });

  it('moves the focus to the view that was gone to', async () => {
    const page = await console.open();
    await page.getByRole('link', { name: 'Teams' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Teams');
  });
});

/** What has the focus, by what is said of it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const { activeElement: at } = document;
    return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
  })()`);
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${name}`);
}
