import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultEffects, faultForm } from '../../src/api/faults/fault-grammar.js';
import { Caller } from '../server/support/caller.js';
import { act, describePages, refresh, useConsole } from './support/browser.js';

const saved = new Map<string, string>();

describePages('on the console a person', () => {
  const console = useConsole({
    saveProfile: async ({ name, secret }) => {
      saved.set(name, secret);
      return true;
    },
  });
  const caller = () => new Caller(console.server);
  const dialog = (page: Page) => page.getByRole('dialog');

  it('issues a key, whose secret is shown once, and keeps it as a profile', async () => {
    const page = await console.open('keys');
    await page.getByRole('button', { name: 'Issue a key' }).click();
    await dialog(page).waitFor();
    // The first field of a dialog has the focus.
    await page.keyboard.type('my worker');
    // A double click, or Enter twice, issues one key.
    const submit = "document.querySelector('dialog form').requestSubmit()";
    await page.evaluate(`${submit}; ${submit}`);
    await dialog(page).getByText('You will not be able to see it again').waitFor();
    const [keyId = '', secret = ''] = await dialog(page).locator('.copyable code').allInnerTexts();
    const answer = await caller().send('GET', '/quotas', { credential: { keyId, secret } });
    expect(answer.status).toBe(200);
    await page.getByRole('button', { name: 'Save as profile' }).click();
    await page.getByText('orgctl quotas -p my-worker').waitFor();
    expect(saved.get('my-worker')).toBe(secret);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.name', { hasText: 'my worker' }).waitFor();
    const issued = (await console.server.control.keys.list()).filter(({ name }) => name === 'my worker');
    expect(issued).toMatchObject([{ id: keyId }]);
    expect(await page.content()).not.toContain(secret);
  });

  it('disables the first key, sees every call refused, and enables it again', async () => {
    const page = await console.open('keys');
    await act(page, '', 'Disable');
    await page.getByText('disabled', { exact: true }).waitFor();
    expect((await caller().send('GET', '/quotas')).status).toBe(403);
    await act(page, '', 'Show requests');
    await page.getByRole('link', { name: '403' }).click();
    await page.getByRole('button', { name: `Enable ${console.server.keyId}` }).click();
    await page.getByText('enabled. It works again').waitFor();
    expect((await caller().send('GET', '/quotas')).status).toBe(200);
    await page.getByRole('link', { name: 'API keys' }).click();
    await act(page, '', 'Disable');
    await act(page, '', 'Enable');
    await page.getByText('enabled', { exact: true }).waitFor();
    expect((await caller().send('GET', '/quotas')).status).toBe(200);
  });

  it('renames a key, finds it by its new name, its ID or its status, and revokes it only with its name', async () => {
    const { id } = await console.server.control.keys.issue({ name: 'ci' });
    const page = await console.open('keys');
    await act(page, 'ci', 'Rename');
    const name = page.getByLabel('Name', { exact: true });
    expect(await name.inputValue()).toBe('ci');
    await name.fill('deploy');
    await page.keyboard.press('Enter');
    await page.getByText('ci renamed to deploy.').waitFor();
    await page.locator('.fresh .name', { hasText: 'deploy' }).waitFor();
    expect(await console.server.control.keys.list()).toMatchObject([{}, { id, name: 'deploy' }]);
    await console.server.control.keys.disable(id);
    await refresh(page);
    for (const words of ['EPLO', id, 'disabled dep']) {
      await page.getByLabel('Search API keys').fill(words);
      await expect.poll(() => page.locator('.name').allInnerTexts()).toEqual(['deploy']);
    }
    await page.getByLabel('Search API keys').fill('nobody');
    await page.getByText('No API key has “nobody”').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.locator('.name').count()).toBe(2);
    await act(page, 'deploy', 'Revoke');
    const revoke = page.getByRole('button', { name: 'Revoke', exact: true });
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel('Key name').fill('deplo');
    expect(await revoke.isDisabled()).toBe(true);
    await page.getByLabel('Key name').fill('deploy');
    await revoke.click();
    await page.getByText('deploy revoked.').waitFor();
    expect((await console.server.control.keys.list()).map((key) => key.id)).not.toContain(id);
  });

  it('makes, changes and deletes connections, whose passwords only go in', async () => {
    const page = await console.open('connections');
    await page.getByRole('button', { name: 'New connection' }).click();
    const fields = { Name: 'app', Host: 'db.internal', Database: 'main', User: 'app', Password: 'hunter2' };
    for (const [label, text] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('app@db.internal:5432/main').waitFor();
    await act(page, 'app', 'Edit');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await page.getByLabel('Require TLS').isChecked()).toBe(true);
    await page.getByLabel('Host').fill('db2.internal');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('app@db2.internal:5432/main').waitFor();
    expect(await page.content()).not.toContain('hunter2');
    await act(page, 'app', 'Delete');
    await dialog(page).waitFor();
    // Enter confirms nothing that destroys.
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect((await caller().send('GET', '/connections')).json).toMatchObject({ total: 1 });
    await act(page, 'app', 'Delete');
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No connections yet').waitFor();
    // One of another type is JSON; what is wrong is said in the form.
    await console.server.control.quotas.set({ connections: 0 });
    await page.getByRole('button', { name: 'New connection' }).click();
    await page.getByLabel('Name').fill('search');
    await page.getByLabel('Type').fill('opensearch');
    await page.getByLabel('Settings').fill('{"host": "search.internal",}');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Settings are not valid JSON').waitFor();
    await page.getByLabel('Settings').fill('{"host": "search.internal"}');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Quota exceeded: maximum 0 connections').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('search');
    await console.server.control.quotas.set({ connections: 1 });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('opensearch').waitFor();
  });

  it('looks through pages, and searches', async () => {
    await console.server.control.quotas.set({ teams: 30 });
    await Promise.all(
      Array.from({ length: 23 }, (_, nth) =>
        caller().send('POST', '/teams', { body: { name: `team ${nth + 1}` } }),
      ),
    );
    const page = await console.open('teams');
    await page.getByText('23 teams · page 1 of 2').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('page 2 of 2').waitFor();
    await expect.poll(() => page.locator('.name').count()).toBe(3);
    expect(page.url()).toContain('page=2');
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.getByLabel('Search teams').fill('m 19');
    await page.getByText('1 team', { exact: true }).waitFor();
    expect(await page.locator('.name').allInnerTexts()).toEqual(['team 19']);
    await page.getByLabel('Search teams').fill('nobody');
    await page.getByText('No team matches “nobody” by name or ID.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('page 1 of 2').waitFor();
    await page.goto(page.url().replace(/#.*/, '#/teams?page=99'));
    await page.getByText('page 2 of 2').waitFor();
    await expect.poll(() => page.locator('.name').count()).toBe(3);
  });

  it('checks a signature without ever seeing the secret', async () => {
    const page = await console.open('signature-check');
    await page.getByLabel('Target').fill('/teams?limit=5');
    await page.getByLabel('Signature').fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('does not match').waitFor();
    const rows = ['GET\\n', '/teams?limit=5\\n', expect.stringMatching(/^\d+\\n$/), '\\n', ''];
    expect(await page.locator('.diff td').allInnerTexts()).toEqual(rows);
    expect(await page.content()).not.toContain(console.server.secret);
  });
});

describePages('in the test controls a person', () => {
  const console = useConsole();
  const panel = (page: Page, title: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: title }) });

  it('makes requests go wrong by rules that are typed, built or named, sees how often they did, and adds stubs', async () => {
    const page = await console.open('test-controls');
    const faults = panel(page, 'Faults');
    await faults.getByText(`${faultForm}; EFFECT is ${faultEffects}.`).waitFor();
    await faults.getByLabel('Rule').fill('GET /quotas=nonsense');
    await faults.getByRole('button', { name: 'Add', exact: true }).click();
    await faults.getByRole('alert').filter({ hasText: 'GET /quotas=nonsense' }).waitFor();
    await faults.getByLabel('Rule').fill('GET /quotas=503x2');
    await faults.getByRole('button', { name: 'Add', exact: true }).click();
    await faults.getByText('0 hits, 2 left').waitFor();
    expect((await new Caller(console.server).send('GET', '/quotas')).status).toBe(503);
    await refresh(page);
    await faults.getByText('1 hit, 1 left').waitFor();
    await faults.getByRole('button', { name: 'Remove GET /quotas=503x2' }).click();
    await faults.getByText('No fault rules').waitFor();
    expect(await console.server.control.faults.get()).toEqual([]);
    await faults.getByLabel('Method').selectOption('POST');
    await faults.getByLabel('Path').selectOption('/teams/*');
    await faults.getByLabel('Effect').selectOption('drop-answer');
    await faults.getByLabel('How often').selectOption('twice');
    await faults.getByRole('button', { name: 'Add rule' }).click();
    const rules = ['POST /teams/*=drop-answerx2'];
    await faults.getByText(String(rules), { exact: true }).waitFor();
    for (const [name, rule] of [
      ['Slow', '* *=delay:2s'],
      ['Flaky 10%', '* *=503%10'],
      ['503 twice', '* *=503x2'],
      ['Drop one response', '* *=drop-answerx1'],
    ] as const) {
      await faults.getByRole('button', { name, exact: true }).click();
      await faults.locator('li code', { hasText: rule }).waitFor();
      rules.push(rule);
    }
    expect((await console.server.control.faults.get()).map(({ rule }) => rule)).toEqual(rules);
    await console.server.control.faults.clear();
    await console.server.control.stubs.set([
      { request: 'GET /teams', status: 200, headers: { 'X-Kept': 'yes' }, body: '[]' },
    ]);
    const kept = await console.server.control.stubs.get();
    const stubs = panel(page, 'Stubs');
    await stubs.getByLabel('Path').selectOption('/connections');
    await stubs.getByRole('button', { name: 'Add stub' }).click();
    await stubs.getByText('GET /connections=200', { exact: true }).waitFor();
    expect((await new Caller(console.server, { atFault: true }).send('GET', '/connections')).text).toBe('[]');
    await stubs.getByRole('button', { name: 'Remove GET /connections' }).click();
    await expect.poll(() => console.server.control.stubs.get()).toEqual(kept);
  });

  it('turns and sets the clock, limits the rate and lifts that, takes a snapshot, and goes back to the start', async () => {
    const page = await console.open('test-controls');
    const clock = panel(page, 'Clock');
    await clock.getByRole('button', { name: 'Move the clock by -10m' }).click();
    await clock.getByText('10 minutes behind this machine.').waitFor();
    expect((await console.server.control.clock.get()).offset).toBe(-600_000);
    await clock.getByRole('button', { name: 'Reset clock' }).click();
    await clock.getByText('Matches this machine.', { exact: true }).waitFor();
    const limit = panel(page, 'Rate limit');
    await limit.getByLabel('Requests').fill('1');
    await limit.getByLabel('Window').fill('1h');
    await limit.getByRole('button', { name: 'Set' }).click();
    await limit.getByText('1 request per hour for each key.').waitFor();
    const caller = new Caller(console.server);
    const statuses = [await caller.send('GET', '/quotas'), await caller.send('GET', '/quotas')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429]);
    await console.server.control.rateLimit.set({ requests: 2, window: 90_000 });
    await limit.getByText('2 requests every 1 minute 30 seconds for each key.').waitFor();
    await limit.getByRole('button', { name: 'Remove limit' }).click();
    await limit.getByText('No rate limit.').waitFor();
    expect((await caller.send('GET', '/quotas')).status).toBe(200);
    await clock.getByLabel(/exact time/).fill('2030-01-01T00:00:00Z');
    await clock.getByRole('button', { name: 'Set', exact: true }).click();
    await clock.getByText(/2030-01-01 00:00/).waitFor();
    const data = panel(page, 'Data');
    await data.getByRole('button', { name: 'Take a snapshot' }).click();
    await data.getByRole('button', { name: /^Restore snapshot_/ }).waitFor();
    await console.server.control.faults.set(['* *=503']);
    await data.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await console.server.control.faults.get()).toHaveLength(1);
    await data.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('Server reset to its initial state.').waitFor();
    expect(await console.server.control.faults.get()).toEqual([]);
  });
});
