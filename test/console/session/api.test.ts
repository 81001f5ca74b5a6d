import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { operations } from '../../../src/api/operations.js';
import { apiDocument } from '../../../src/api-description/document.js';
import { useToolOnPath } from '../../support/built-tool.js';
import { runProcess } from '../../support/run-built-tool.js';
import { temporaryDirectory } from '../../support/run-cli.js';
import { describePages, originOf, useBrowser, useConsole } from '../support/browser.js';

const browser = useBrowser();
const toolOnPath = useToolOnPath();

const seed = {
  organizations: [
    {
      name: 'acme',
      keys: [{ id: 'key_first' }, { id: 'key_spare' }],
      connections: [{ name: 'cache', type: 'redis', config: { url: 'redis://cache.example.com' } }],
      teams: [{ name: 'platform' }],
    },
  ],
};

const forms = ['orgctl request', 'signed curl', 'Node.js', 'Python'] as const;
type Form = (typeof forms)[number];

/** The text that a button copies. */
async function copied(page: Page, form: Form): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: `Copy as ${form}` }).click();
  const texts = page.locator('.copied pre');
  if ((await texts.count()) === 0) await page.locator('.copied summary').click();
  const shown = await texts.nth(forms.indexOf(form)).textContent();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(shown);
  return String(shown);
}

/** Pastes lines in a bash, which has the secret and the tool. */
function paste(lines: string, env: Readonly<Record<string, string | undefined>>) {
  const path = `${toolOnPath}:${process.env['PATH']}`;
  const home = temporaryDirectory();
  return runProcess('bash', ['-c', lines], { env: { PATH: path, HOME: home, ...env } });
}

/** What the service made of what was pasted: what both print at the end is the body. */
function bodyIn({ stdout }: { readonly stdout: string }, form: Form): unknown {
  // The programs print the status first, curl all of the response.
  const body = form === 'signed curl' ? (stdout.split('\r\n\r\n').at(-1) ?? '') : stdout.replace(/^\d+ /, '');
  return JSON.parse(body);
}

describePages('the API view', () => {
  const console = useConsole(browser, { seed });
  const secret = () => ({ ORGCTL_SECRET: console.server.secret });

  it('has every call of the document, by resource', async () => {
    const page = await console.open('api');
    const entries = page.locator('.operation h3');
    const shown = async () => (await entries.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    await expect.poll(shown).toHaveLength(operations().length);
    const all = operations().map(({ method, path }) => `${method} ${path}`);
    expect((await shown()).toSorted()).toEqual(all.toSorted());
    expect(await page.locator('.group h2').allInnerTexts()).toEqual(
      apiDocument().tags.map(({ name, description }) => `${name} · ${description}`),
    );
  });

  it('asks for the document when it is opened, and once', async () => {
    const page = await console.open('overview');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const documents = () => asked.filter((path) => path === '/openapi.json').length;
    await page.reload();
    await page.getByText('First request').waitFor();
    expect(documents()).toBe(0);
    for (const name of ['API', 'Test controls', 'API']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator('.group, .panel').first().waitFor();
    }
    expect(documents()).toBe(1);
  });

  it('has an address for each call, which says what it takes and answers', async () => {
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
    await call.getByText('more requests than the window has room for').waitFor();
    await call.getByText('Seconds to wait before retrying.').first().waitFor();
    await page.locator('summary', { hasText: '/teams/{id}' }).first().click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#/api?call=teams.get');
    await page.reload();
    await expect.poll(() => call.locator('h3').innerText()).toMatch(/GET\s+\/teams\/\{id\}/);
    expect(await call.count()).toBe(1);
  });

  it('says how requests are signed', async () => {
    const page = await console.open('api');
    await page.getByText('Security: every request').click();
    await page.getByText('any change to one of them makes the signature invalid').waitFor();
    await page.getByText('Authorization: Basic').waitFor();
  });

  it('finds calls, and says when there is none', async () => {
    const page = await console.open('api');
    await page.getByLabel('Search calls').fill('post TEAM');
    await page.getByText('1 of 16 calls').waitFor();
    await page.reload();
    await page.getByText('Create a team, if the quota has room').waitFor();
    expect(await page.locator('.operation').count()).toBe(1);
    await page.getByLabel('Search calls').fill('put');
    await page.getByText('No matching calls').waitFor();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByText('16 of 16 calls').waitFor();
  });

  it.each([
    ['connections.update', 'signed curl'],
    ['apiKeys.delete', 'Python'],
  ] as const)('copies %s as %s, with the ID of one that there is', async (id, form) => {
    const page = await console.open(`api?call=${id}`);
    await page.getByLabel('id', { exact: true }).waitFor();
    await page.getByText('Example ID: ').waitFor({ state: 'hidden' });
    const lines = await copied(page, form);
    expect(lines.includes(console.server.secret)).toBe(false);
    // Nobody deletes the key that signs by pasting an example.
    if (id === 'apiKeys.delete') expect(lines).toContain('/api-keys/key_spare');
    const { code, stdout, stderr } = await paste(lines, secret());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^(?:HTTP\/1\.1 )?20[014] /);
  });

  it.each(forms)('copies whatever was typed as %s', async (form) => {
    const name = 'it\'s "quoted" $HOME `id` \\n !! %s – ünï 😀';
    const page = await console.open('api?call=teams.create');
    await page.getByLabel('Body').fill(`{\n  "name":\n${JSON.stringify(name)}\n}\nEND`);
    await page.getByText('Not valid JSON: the service').waitFor();
    expect((await paste(await copied(page, form), secret())).stdout).toContain('Malformed JSON');
    await page.getByLabel('Body').fill(`{\n  "name":\n${JSON.stringify(name)}\n}\n`);
    await page.getByText('Not valid JSON: the service').waitFor({ state: 'hidden' });
    const created = await paste(await copied(page, form), secret());
    expect(bodyIn(created, form)).toMatchObject({ name });
    await page.goto(`${originOf(console.server)}/#/api?call=teams.list`);
    await page.locator('input[name="limit"]').fill(" &'%é");
    const refused = await paste(await copied(page, form), secret());
    expect(refused.stdout).toContain('limit must be one integer from 1 to 100');
  });

  it.each(forms)('leaves secrets out of arguments, pasted as %s', async (form) => {
    const directory = temporaryDirectory();
    const [bin, log] = [join(directory, 'bin'), join(directory, 'log')];
    await mkdir(bin);
    for (const name of ['openssl', 'curl', 'od', 'tr', 'cut', 'date', 'cat', 'orgctl', 'node', 'python3']) {
      const told = `#!/bin/bash\nprintf '%s\\n' "$0 $*" >> '${log}'\nPATH="\${PATH#*:}" exec ${name} "$@"\n`;
      await writeFile(join(bin, name), told, { mode: 0o755 });
    }
    const page = await console.open('api?call=connections.create');
    const lines = await copied(page, form);
    const { code } = await paste(`PATH='${bin}':"$PATH"\n${lines}`, secret());
    expect(code).toBe(0);
    const told = await readFile(log, 'utf8');
    const ran = {
      'orgctl request': 'bin/orgctl request POST',
      'signed curl': 'bin/openssl dgst -sha256',
      'Node.js': 'bin/node --input-type=module',
      Python: 'bin/python3 -',
    };
    expect(told).toContain(ran[form]);
    const { secret: own } = console.server;
    // Not shown where one is found.
    for (const text of [own, Buffer.from(own).toString('hex'), 'correct horse']) {
      expect(told.includes(text)).toBe(false);
    }
  });

  it('sends a call that the server signs, and shows how it went', async () => {
    const page = await console.open('api?call=teams.create');
    await page.getByLabel('Body').fill('{"name": "from the page"}');
    await page.getByRole('button', { name: 'Send POST' }).click();
    const answer = page.getByRole('region', { name: 'Response' });
    await answer.getByText('201', { exact: true }).waitFor();
    await answer.getByText('"name": "from the page"').waitFor();
    expect((await console.server.control.journal.get()).map(({ status, keyId }) => [status, keyId])).toEqual([
      [201, 'key_first'],
    ]);
    expect(await page.content()).not.toContain(console.server.secret);
  });

  it('signs with the key that is chosen', async () => {
    const page = await console.open('api?call=quotas.read');
    const { id, secret: own } = await console.server.control.keys.issue({ name: 'worker' });
    await page.reload();
    await page.getByRole('combobox', { name: 'Key', exact: true }).selectOption({ label: `worker (${id})` });
    for (const form of forms) expect(await copied(page, form)).toContain(id);
    const { stdout } = await paste(await copied(page, 'Node.js'), { ORGCTL_SECRET: own });
    expect(stdout).toContain('"remaining"');
    expect((await console.server.control.journal.get()).map(({ keyId }) => keyId)).toEqual([id]);
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

  it('is used without a mouse', async () => {
    const page = await console.open('api');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const entry = page.locator('summary', { hasText: 'Create a team' });
    await entry.waitFor();
    await tabTo(page, /^POST\s*\/teams/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Copy as orgctl request/);
    await page.keyboard.press('Space');
    await page.getByRole('status').getByText('Copied as orgctl request').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^orgctl request POST \/teams /);
  });
});

async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    if (text.test(await page.evaluate('document.activeElement.textContent.trim()'))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no Tab leads to ${text}`);
}

describePages('the API view of a server with a profile', () => {
  const console = useConsole(browser, { seed, http: false, profile: 'local' });

  it('copies each form for it', async () => {
    const { url, caFile, keyId, secret } = console.server;
    const own = { ORGCTL_CONFIG_DIR: temporaryDirectory(), ORGCTL_SECRET: secret };
    const settings = `--base-url '${url}' --ca-file '${caFile}' --key-id '${keyId}'`;
    const added = await paste(`orgctl profile add local ${settings} --secret-env ORGCTL_SECRET`, own);
    expect([added.code, added.stderr]).toEqual([0, '']);
    const page = await console.open('api?call=teams.create');
    for (const form of forms) {
      const lines = await copied(page, form);
      if (form === 'orgctl request') expect(lines).toMatch(/^orgctl request POST \/teams --profile local /);
      const env =
        form === 'orgctl request' ? { ORGCTL_CONFIG_DIR: own.ORGCTL_CONFIG_DIR } : { ORGCTL_SECRET: secret };
      expect(bodyIn(await paste(lines, env), form)).toMatchObject({ name: 'platform' });
    }
  });
});
