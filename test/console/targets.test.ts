import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Caller } from '../server/support/caller.js';
import { act, describePages, refresh, useConsole } from './support/browser.js';

const seed = {
  organizations: [
    {
      id: 'org_one',
      name: 'One',
      keys: [{ id: 'key_one', name: 'key_one' }],
      teams: [{ id: 'team_one', name: 'his' }],
    },
    {
      id: 'org_two',
      name: 'Two',
      keys: [{ id: 'key_two', name: 'key_two' }],
      teams: [{ id: 'team_two', name: 'hers' }],
    },
  ],
};

describePages('what is done on the console', () => {
  const console = useConsole({ seed });
  const row = (page: Page, name: string) =>
    page.locator('tr', { has: page.getByText(name, { exact: true }) });
  const limits = async () =>
    (await console.server.control.organizations.list()).map(({ quotas }) => quotas['teams']?.limit);

  const keys = async () =>
    (await console.server.control.keys.list()).map(
      ({ organization, name, enabled }) => `${organization} ${name} ${enabled}`,
    );

  it('is done in the organization that is looked at', async () => {
    const page = await console.open('keys?organization=org_nobody');
    await refresh(page);
    await page.getByText('Organization "org_nobody" not found.').waitFor();
    await row(page, 'key_one').waitFor();
    expect(page.url()).not.toContain('nobody');
    await page.getByRole('link', { name: 'Teams' }).click();
    await row(page, 'his').waitFor();
    await page.getByLabel('Organization').selectOption({ label: 'Two' });
    await act(page, 'hers', 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'renamed').waitFor();
    await page.getByRole('button', { name: 'New team' }).click();
    await page.getByLabel('Name', { exact: true }).fill('new');
    await page.getByRole('button', { name: 'Create' }).click();
    await row(page, 'new').waitFor();
    await act(page, 'renamed', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, 'renamed').waitFor({ state: 'detached' });
    expect((await new Caller(console.server).send('GET', '/teams')).json).toMatchObject({
      data: [{ id: 'team_one', name: 'his' }],
    });
    await page.getByRole('link', { name: 'API keys' }).click();
    await row(page, 'key_two').waitFor();
    expect(page.url()).toContain('organization=org_two');
    // The address says it, and a reload finds it.
    await page.reload();
    await row(page, 'key_two').waitFor();
    expect(await row(page, 'key_one').count()).toBe(0);
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('ci');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await act(page, 'ci', 'Disable');
    await row(page, 'ci').getByText('disabled', { exact: true }).waitFor();
    expect(await keys()).toEqual(['org_one key_one true', 'org_two key_two true', 'org_two ci false']);
    await page.goto(page.url().replace(/#.*/, '#/test-controls?organization=org_two'));
    const quotas = page.locator('section', { has: page.getByRole('heading', { name: 'Quotas' }) });
    await quotas.getByLabel('Teams', { exact: true }).last().fill('3');
    await quotas.getByRole('button', { name: 'Set' }).click();
    await expect.poll(limits).toEqual([20, 3]);
  });

  it('is seen at once in the rows, and not only when they are asked for again by themselves', async () => {
    const page = await console.open();
    // Until the page is loaded again, for the next test.
    await page.evaluate('window.setInterval = () => 0');
    await page.getByRole('link', { name: 'Teams' }).click();
    await act(page, 'his', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No teams yet').waitFor();
  });

  it('restores the snapshot that is named, of several', async () => {
    const { control } = console.server;
    const snapshots: string[] = [];
    for (const teams of [3, 4, 5]) {
      await control.quotas.set({ teams });
      snapshots.push(await control.snapshot());
    }
    const page = await console.open('test-controls');
    await page.getByRole('button', { name: `Restore ${snapshots[1]}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText(`Restored ${snapshots[1]}.`).waitFor();
    expect(await limits()).toEqual([4, 20]);
  });

  it('shows what was asked for last, whichever answer comes last', async () => {
    const page = await console.open('teams');
    let answer: () => void = () => undefined;
    const newer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(/search=his/, async (route) => {
      await newer;
      await route.continue();
    });
    const search = page.getByLabel('Search teams');
    const asked = page.waitForRequest(/search=his/);
    await search.fill('his');
    await asked;
    await search.fill('nobody');
    const none = page.getByText('No team matches “nobody” by name or ID.');
    await none.waitFor();
    const late = page.waitForEvent('requestfinished', (request) => request.url().includes('search=his'));
    answer();
    await late;
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    expect(await none.isVisible()).toBe(true);
  });
});
