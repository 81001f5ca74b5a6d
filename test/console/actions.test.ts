import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { Caller } from '../support/caller.js';
import { describePages, refresh, useConsole } from './support/browser.js';

const saved = new Map<string, string>();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describePages('on the console a person', () => {
  const console = useConsole({
    saveProfile: async ({ name, secret }) => {
      saved.set(name, secret);
      return true;
    },
  });
  const caller = () => new Caller(console.server);

  it('issues a key, whose secret is shown once, uses it, and saves it as a profile', async () => {
    const page = await console.open('keys');
    await button(page, 'Issue a key').click();
    await page.getByRole('dialog').waitFor();
    // The first field of a dialog has the focus.
    await page.keyboard.type('my worker');
    // A double click, or Enter twice, issues one key.
    const submit = "document.querySelector('dialog form').requestSubmit()";
    await page.evaluate(`${submit}; ${submit}`);
    await page.getByText('You will not be able to see it again').waitFor();
    const [keyId = '', secret = ''] = await page.locator('dialog .copyable code').allInnerTexts();
    const response = await caller().send('GET', '/quotas', { credential: { keyId, secret } });
    expect(response.status).toBe(200);
    await button(page, 'Save as profile').click();
    await page.getByText('orgctl quotas -p my-worker').waitFor();
    expect(saved.get('my-worker')).toBe(secret);
    await button(page, 'Done').click();
    await page.getByRole('row', { name: 'my worker' }).waitFor();
    const issued = (await console.server.control.keys.list()).filter(({ name }) => name === 'my worker');
    expect(issued).toMatchObject([{ id: keyId }]);
    expect(await page.content()).not.toContain(secret);
  });

  it('disables a key, whose requests are refused, enables it again, and is asked before it is revoked', async () => {
    const key = await console.server.control.keys.issue({ name: 'ci' });
    const credential = { keyId: key.id, secret: key.secret };
    const page = await console.open('keys');
    await button(page, 'Disable ci').click();
    await page.getByText('disabled', { exact: true }).waitFor();
    expect((await caller().send('GET', '/quotas', { credential })).status).toBe(403);
    await button(page, 'Enable ci').click();
    await expect.poll(() => page.getByText('disabled', { exact: true }).count()).toBe(0);
    await button(page, 'Revoke ci').click();
    await page.getByRole('dialog').waitFor();
    // Enter confirms nothing that destroys.
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect((await caller().send('GET', '/quotas', { credential })).status).toBe(200);
  });

  it('creates and changes a connection, whose password only goes in', async () => {
    const page = await console.open('connections');
    await button(page, 'New connection').click();
    const fields = { Name: 'app', Host: 'db.internal', Database: 'main', User: 'app', Password: 'hunter2' };
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
    await button(page, 'Create').click();
    await page.getByText('app@db.internal:5432/main').waitFor();
    await button(page, 'Edit app').click();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.getByLabel('Host').fill('db2.internal');
    await button(page, 'Save').click();
    await page.getByText('app@db2.internal:5432/main').waitFor();
    expect(await page.content()).not.toContain('hunter2');
  });

  it('sets a fault, and sees how often it applied', async () => {
    const page = await console.open('test-controls');
    const add = button(page, 'Add').first();
    await page.getByLabel('Rule').fill('GET /quotas=nonsense');
    await add.click();
    await page.getByRole('alert').filter({ hasText: 'GET /quotas=nonsense' }).waitFor();
    await page.getByLabel('Rule').fill('GET /quotas=503x2');
    await add.click();
    await page.getByText('0 hits, 2 left').waitFor();
    expect((await caller().send('GET', '/quotas')).status).toBe(503);
    await refresh(page);
    await page.getByText('1 hit, 1 left').waitFor();
    await button(page, 'Remove GET /quotas=503x2').click();
    await page.getByText('No fault rules').waitFor();
    expect(await console.server.control.faults.get()).toEqual([]);
  });

  it('restores a snapshot', async () => {
    await caller().send('POST', '/teams', { body: { name: 'platform' } });
    const page = await console.open('test-controls');
    await button(page, 'Take a snapshot').click();
    const restore = page.getByRole('button', { name: /^Restore snapshot/ });
    await restore.waitFor();
    await caller().send('POST', '/teams', { body: { name: 'later' } });
    await restore.click();
    await button(page, 'Restore').click();
    await page.getByText(/^Restored snapshot/).waitFor();
    expect((await caller().send('GET', '/teams')).json).toMatchObject({ data: [{ name: 'platform' }] });
  });
});
