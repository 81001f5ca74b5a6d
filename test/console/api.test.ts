import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { operations } from '../../src/api/operations.js';
import { apiDocument } from '../../src/api/openapi.js';
import { nodeLines, pythonLines } from '../../src/console/snippets/program-lines.js';
import { orgctlLines, signedCurlLines } from '../../src/console/snippets/request-lines.js';
import { describePages, useConsole } from './support/browser.js';

const seed = {
  organizations: [
    {
      name: 'acme',
      keys: [{ id: 'key_first' }, { id: 'key_spare' }],
      teams: [{ id: 'team_first', name: 'platform' }],
    },
  ],
};

const forms = {
  'orgctl request': orgctlLines,
  'signed curl': signedCurlLines,
  'Node.js': nodeLines,
  Python: pythonLines,
};

/** Presses the button of a form, which says for a moment that it copied, and expects what it copies. */
async function expectCopied(page: Page, form: string, lines: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const said = page.getByRole('status').getByText(`Copied as ${form}`).waitFor();
  await Promise.all([said, page.getByRole('button', { name: `Copy as ${form}` }).click()]);
  // A button that copied just before says so still.
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(lines);
}

describePages('the API view', () => {
  const console = useConsole({ seed, profile: 'local' });
  const origin = (keyId: string, profile?: string) => {
    const { url, caFile } = console.server;
    return { url, caFile, keyId, profile };
  };

  it('has every call of the document, which is asked for when the view is opened, and once; and finds them', async () => {
    const page = await console.open('overview');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const documents = () => asked.filter((path) => path === '/openapi.json').length;
    await page.getByText('First request').waitFor();
    expect(documents()).toBe(0);
    for (const name of ['API', 'Test controls', 'API']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator('.group, .panel').first().waitFor();
    }
    await page.locator('.operation h3').first().waitFor();
    expect(documents()).toBe(1);
    const shown = (await page.locator('.operation h3').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' '),
    );
    expect(shown.toSorted()).toEqual(
      operations()
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
    expect(await page.locator('.group h2').allInnerTexts()).toEqual(
      apiDocument().tags.map(({ name, description }) => `${name} · ${description}`),
    );
    await page.getByText('Security: every request').click();
    await page.getByText('changing any of these values makes the signature invalid').waitFor();
    await page.getByLabel('Search calls').fill('put');
    await page.getByText('No matching calls').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByText('16 of 16 calls').waitFor();
  });

  it('has an address for each call and search, which says what a call takes and answers', async () => {
    const page = await console.open('api?call=connections.create');
    const call = page.locator('.operation[open]');
    await call.locator('.method').waitFor();
    const text = await call.innerText();
    for (const told of [
      /config\.port integer required\s+1 to 65,535/,
      /type string required\s+postgresql or pg/,
      /Or\s+object\s+name string required/,
      /201\s+Created\s+not in reference/,
      /X-Quota-Remaining always reference/,
      /429\s+The key has reached its rate limit\. The request was not carried out\.\s+reference/,
    ]) {
      expect(text).toMatch(told);
    }
    await call.locator('summary', { hasText: '429' }).click();
    await call.getByText('more requests than the rate limit permits').waitFor();
    await page.locator('summary', { hasText: '/teams/{id}' }).first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/api?call=teams.get');
    await page.reload();
    await expect.poll(() => call.locator('h3').innerText()).toMatch(/GET\s+\/teams\/\{id\}/);
    expect(await call.count()).toBe(1);
    await page.getByLabel('Search calls').fill('post TEAM');
    await page.getByText('1 of 16 calls').waitFor();
    await page.reload();
    await page.getByText('Create a team, if the quota has room').waitFor();
    expect(await page.locator('.operation').count()).toBe(1);
  });

  it('copies and sends what was typed, signed with the key that is chosen, without its secret', async () => {
    const { id, secret } = await console.server.control.keys.issue({ name: 'worker' });
    const page = await console.open('api?call=teams.create');
    const body = '{\n  "name": "it\'s"\n}\nEND';
    await page.getByLabel('Body').fill(body);
    await page.getByText('Not valid JSON: the service').waitFor();
    const call = { method: 'POST', target: '/teams', body };
    for (const [form, toLines] of Object.entries(forms)) {
      await expectCopied(page, form, toLines(call, origin('key_first', 'local')));
    }
    await page.getByRole('combobox', { name: 'Key', exact: true }).selectOption({ label: `worker (${id})` });
    for (const [form, toLines] of Object.entries(forms)) {
      await expectCopied(page, form, toLines(call, origin(id)));
    }
    await page.getByLabel('Body').fill('{"name": "from the page"}');
    await page.getByRole('button', { name: 'Send POST' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('201', { exact: true }).waitFor();
    await answer.getByText('"name": "from the page"').waitFor();
    expect(await console.server.control.journal.get()).toMatchObject([{ status: 201, keyId: id }]);
    for (const hidden of [secret, console.server.secret]) expect(await page.content()).not.toContain(hidden);
  });

  it('copies a call with the ID of one that there is, and what is typed in its query', async () => {
    const page = await console.open('api');
    for (const [operation, path, call] of [
      ['teams.get', '/teams/{id}', { target: '/teams/team_first' }],
      // Nobody deletes or disables the key that signs by pasting an example.
      ['apiKeys.delete', '/api-keys/{id}', { method: 'DELETE', target: '/api-keys/key_spare' }],
      ['apiKeys.update', '/api-keys/{id}', { method: 'PATCH', target: '/api-keys/key_spare' }],
      ['teams.list', '/teams', { target: "/teams?limit=%20%26'%25%C3%A9&page=1" }],
    ] as const) {
      await page.goto(page.url().replace(/#.*/, `#/api?call=${operation}`));
      await page.locator('.operation[open] h3').getByText(path, { exact: true }).waitFor();
      await page.getByText('Example ID.').waitFor({ state: 'hidden' });
      if (operation.endsWith('list')) await page.locator('input[name="limit"]').fill(" &'%é");
      const body = operation.endsWith('update') ? await page.getByLabel('Body').inputValue() : '';
      const lines = pythonLines({ method: 'GET', body, ...call }, origin('key_first'));
      await expectCopied(page, 'Python', lines);
    }
  });

  it('names the resource of the suggested ID, until another is typed', async () => {
    const page = await console.open('api?call=teams.get');
    const name = page.locator('.call .hint', { hasText: 'platform' });
    await name.waitFor();
    await page.locator('.call input[name="id"]').fill('team_other');
    await name.waitFor({ state: 'hidden' });
  });

  it('says nothing of the resources where they cannot be read', async () => {
    const page = await console.open('overview');
    await page.route(
      ({ pathname }) => pathname.includes('/teams'),
      (each) => each.abort(),
    );
    await page.goto(page.url().replace(/#.*/, '#/api?call=teams.get'));
    await page.getByText('Example ID.', { exact: true }).waitFor();
  });

  it('shows what was to be copied when the browser does not let it', async () => {
    const page = await console.open('api?call=quotas.read');
    await page.getByRole('button', { name: 'Copy as signed curl' }).waitFor();
    expect(await page.getByText('orgctl request GET /quotas').isVisible()).toBe(false);
    await page.evaluate(
      "navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))",
    );
    await page.getByRole('button', { name: 'Copy as signed curl' }).click();
    await page.getByText('select the text and copy it yourself').waitFor();
    await page.getByText('orgctl request GET /quotas').waitFor();
  });
});
