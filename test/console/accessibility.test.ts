import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { describePages, useConsole } from './support/browser.js';

/**
 * What axe-core finds wrong, each with where: on a phone in the light theme, and on a desktop in the dark one. What a
 * theme changes is colours alone, and what a width changes is the layout.
 */
async function violations(page: Page, narrower: readonly number[] = []): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [
    ...[360, ...narrower].map((width) => ['light', width] as const),
    ['dark', 1440] as const,
  ]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const wrong: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] =
      await page.evaluate(
        "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
      );
    found.push(
      ...wrong.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${width} ${id}: ${target.join(' ')} ${failureSummary}`),
      ),
    );
  }
  return found;
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
      await page.locator('.panel, .list, .group, .entry h2, .lines-of-journal li').first().waitFor();
      await page.evaluate(unfold);
    };
    return { page, goTo, refused: refused?.id };
  }

  it('has no violation that axe-core knows of in its views', async () => {
    const { page, goTo, refused } = await filled();
    for (const [view, heading] of [
      ['overview', 'Overview'],
      ['teams', 'Teams'],
      ['signature-check', 'Signature check'],
      ['test-controls', 'Test controls'],
      ['api', 'API'],
      ['api?call=connections.create', 'API'],
      ['requests', 'Requests'],
      [`requests?entry=${refused}`, 'Requests'],
    ] as const) {
      await goTo(view, heading);
      if (view.includes('entry')) {
        await page.getByRole('button', { name: 'Fix and replay' }).click();
        await page.locator('.sent .line').waitFor();
      }
      // Only the journal is laid out otherwise at 800.
      expect(await violations(page, heading === 'Requests' ? [800] : []), view).toEqual([]);
    }
  });

  it('has none in its menus and dialogs', async () => {
    const { page, goTo } = await filled();
    for (const [view, heading, button, action] of [
      ['test-controls', 'Test controls', 'Reset…'],
      ['keys', 'API keys', 'Issue a key'],
      ['keys', 'API keys', 'Actions for spare', 'Revoke'],
      ['connections', 'Connections', 'Actions for app', 'Edit'],
    ] as const) {
      await goTo(view, heading);
      await page.getByRole('button', { name: button }).click();
      if (action !== undefined) {
        expect(await violations(page), `menu of ${view}`).toEqual([]);
        await page.getByRole('menuitem', { name: action }).click();
      }
      await page.getByRole('dialog').waitFor();
      expect(await violations(page), `dialog of ${view}`).toEqual([]);
      await page.keyboard.press('Escape');
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
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for by hand' }).click();
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
