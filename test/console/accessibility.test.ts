import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { describePages, useConsole } from './support/browser.js';

/** What axe-core finds wrong, each with where. */
async function violations(page: Page): Promise<string[]> {
  const wrong: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
  );
  return wrong.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

/** What is folded is not looked at. */
const unfold = "for (const fold of document.querySelectorAll('details:not(.operation)')) fold.open = true";

const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'pw', ssl: true };

describePages('the console', () => {
  const console = useConsole();

  /** A page that has something in each view, and a way to each. */
  async function filled() {
    const { control } = console.server;
    const caller = new Caller(console.server);
    await caller.send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
    await caller.send('POST', '/teams', { body: { name: 'platform' } });
    await caller.send('GET', '/teams?limit=5', { headers: { 'x-api-signature': '0'.repeat(64) } });
    await control.keys.disable((await control.keys.issue({ name: 'spare' })).id);
    await control.snapshot();
    await control.faults.set(['GET /never=503']);
    const [refused] = await control.journal.get({ refused: true });
    const page = await console.open();
    onTestFinished(() => page.emulateMedia({ colorScheme: null }));
    await page.evaluate(axe.source);
    const goTo = async (view: string, heading: string) => {
      await page.evaluate(`location.hash = '#/${view}'`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      const content = page.locator('.panel, .list, .group, .entry h2, .lines-of-journal li');
      await content.filter({ visible: true }).first().waitFor();
      await page.evaluate(unfold);
    };
    return { page, goTo, refused: refused?.id };
  }

  // What a theme changes is colours alone, and what a width changes is the layout; only the journal has three.
  it.each([
    ['light', 360, /./],
    ['dark', 1440, /./],
    ['light', 800, /requests/],
  ] as const)('has no violation that axe-core knows of, %s and %d wide', async (colorScheme, width, some) => {
    const { page, goTo, refused } = await filled();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const views = [
      ['overview', 'Overview'],
      ['teams', 'Teams'],
      ['signature-check', 'Signature check'],
      ['test-controls', 'Test controls', 'Reset…'],
      ['api?call=connections.create', 'API'],
      ['requests', 'Requests'],
      [`requests?entry=${refused}`, 'Requests', 'Fix and replay'],
      ['keys', 'API keys', 'Issue a key'],
      ['keys', 'API keys', 'Actions for spare', 'Revoke'],
      ['connections', 'Connections', 'Actions for app', 'Edit'],
    ] as const;
    for (const [view, heading, button, action] of views.filter(([view]) => some.test(view))) {
      await goTo(view, heading);
      if (button === undefined) {
        expect(await violations(page), view).toEqual([]);
        continue;
      }
      await page.getByRole('button', { name: button }).click();
      if (action !== undefined) {
        expect(await violations(page), `menu of ${view}`).toEqual([]);
        await page.getByRole('menuitem', { name: action }).click();
      }
      await page.locator('dialog, .sent .line').first().waitFor();
      expect(await violations(page), `${view} after ${button}`).toEqual([]);
      if (heading !== 'Requests') await page.keyboard.press('Escape');
    }
  });

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
    const actions = page.getByRole('button', { name: 'Actions for by hand' });
    await actions.waitFor();
    await tabTo(page, 'Actions for by hand');
    for (const [key, reached] of [
      ['Enter', 'Rename…'],
      ['ArrowUp', 'Revoke…'],
      ['Escape', 'Actions for by hand'],
      ['ArrowDown', 'Rename…'],
      ['Enter', 'Name'],
      ['Escape', 'Actions for by hand'],
      ['ArrowDown', 'Rename…'],
      ['ArrowDown', 'Disable'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toBe(reached);
    }
    await page.keyboard.press('Enter');
    await page.getByText('by hand disabled').waitFor();
    // The focus stays where it was, on what undoes it.
    await expect.poll(() => focused(page)).toBe('Actions for by hand');
    // A menu is closed by whatever takes the focus from it.
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Rename…');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await actions.click();
    await page.getByRole('menu').waitFor();
    await page.locator('h1').click();
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
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
