import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Caller } from '../support/caller.js';
import { describePages, goTo, useConsole } from './support/browser.js';

/** What axe-core finds wrong, each with where. */
async function violations(page: Page): Promise<string[]> {
  const wrong: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] = await page.evaluate(
    "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
  );
  return wrong.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

/** Each view with something in it, and what is opened there. */
const views = [
  ['overview'],
  ['teams'],
  ['test-controls', 'Reset the server'],
  ['requests'],
  ['requests?entry=REFUSED', 'Fix and replay'],
  ['requests?entry=new'],
  ['keys', 'Issue a key'],
  ['keys', 'Revoke spare'],
  ['connections', 'Edit app'],
] as const;

describePages('the console', () => {
  const console = useConsole();

  it.each([
    ['light', 360],
    ['dark', 1000],
    ['light', 1600],
  ] as const)(
    'has no violation that axe-core knows of, and fits, %s and %d wide',
    async (colorScheme, width) => {
      const { control } = console.server;
      const caller = new Caller(console.server);
      const config = { host: 'db', port: 5432, database: 'app', user: 'app', password: 'pw', ssl: true };
      await caller.send('POST', '/connections', { body: { name: 'app', type: 'postgresql', config } });
      await caller.send('POST', '/teams', { body: { name: 'a name that goes on and on '.repeat(8).trim() } });
      await caller.send('GET', '/teams?limit=5', { headers: { 'x-api-signature': '0'.repeat(64) } });
      await control.keys.disable((await control.keys.issue({ name: 'spare' })).id);
      await control.snapshot();
      await control.faults.set(['GET /never=503']);
      const [refused] = await control.journal.get({ refused: true });
      const page = await console.open();
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(axe.source);
      for (const [view, name] of views) {
        await goTo(page, view.replace('REFUSED', String(refused?.id)));
        await page
          .locator('.panel, .list, .entry h2, .lines-of-journal li')
          .filter({ visible: true })
          .first()
          .waitFor();
        if (name !== undefined) {
          await page.getByRole('button', { name, exact: true }).click();
          await page.locator('dialog, .sent h2, .sent p').first().waitFor();
        }
        expect(await violations(page), `${view} ${name}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width);
        await page.keyboard.press('Escape');
      }
    },
  );

  it('can be used without a mouse, to issue and disable a key', async () => {
    const page = await console.open('keys');
    const focused = (): Promise<string> =>
      page.evaluate(`(() => {
        const { activeElement: at } = document;
        return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
      })()`);
    const tabTo = async (name: string) => {
      for (let step = 0; (await focused()) !== name; step += 1) {
        if (step === 60) throw new Error(`no Tab leads to ${name}`);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('Skip to content');
    await page.keyboard.press('Enter');
    await tabTo('Issue a key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('by hand');
    await page.keyboard.press('Enter');
    await page.getByText('You will not be able to see it again').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Issue a key');
    await tabTo('Disable by hand');
    await page.keyboard.press('Enter');
    // The focus stays where it was, on what undoes it.
    await expect.poll(focused).toBe('Enable by hand');
  });
});
