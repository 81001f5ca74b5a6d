import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { root, shellCommand } from '../support/built-tool.js';
import { type ConsoleShot, drawRecording, type PrintedLine, shotSize } from './recording/animated-svg.js';
import { readScreen } from './recording/screen-text.js';
import { columns, openTerminal } from './recording/terminal-session.js';
import { executablePath, flags } from './support/browser.js';

// npm run recording, after npm run build: README's recording of a real session, a server and its console.

const title =
  'A terminal beside the console of orgctl serve: a client signs without the query string, the server says why it refuses the request, and Fix and replay gets a 200';
const serve = 'orgctl serve --http --ephemeral --save-profile demo';
const wrong = 'orgctl exec -p demo -- node client.mjs';
const right = 'orgctl quotas -p demo';

/** A client that signs the path without its query. */
const client = `import { createHmac } from 'node:crypto';
const { ORGCTL_BASE_URL: url, ORGCTL_KEY_ID: key, ORGCTL_SECRET: secret } = process.env;
const time = String(Math.floor(Date.now() / 1000));
const text = ['GET', '/teams', time, '', ''].join('\\n');
const signature = createHmac('sha256', secret).update(text).digest('hex');
const headers = { 'x-api-key': key, 'x-api-timestamp': time, 'x-api-signature': signature };
const response = await fetch(url + '/teams?limit=50', { headers });
console.log(response.status, await response.text());
`;

const directory = mkdtempSync(join(tmpdir(), 'orgctl-recording-'));
const env = {
  HOME: directory,
  PATH: [directory, process.env['PATH']].join(delimiter),
  TERM: 'xterm',
  ORGCTL_CONFIG_DIR: join(directory, 'config'),
};
writeFileSync(join(directory, 'orgctl'), `#!/bin/sh\nexec ${shellCommand} "$@"\n`);
chmodSync(join(directory, 'orgctl'), 0o755);
writeFileSync(join(directory, 'client.mjs'), client);

const server = openTerminal(serve, env, directory);
const browser = await chromium.launch({ executablePath, headless: true, args: flags });
try {
  const file = join(root, 'docs', 'recording.svg');
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(file, await record(browser));
} finally {
  await browser.close();
  await server.stop();
  rmSync(directory, { recursive: true });
}

async function record(browser: Browser): Promise<string> {
  await server.shows('stops it.');
  if (server.output().includes('warning')) throw new Error(`stop the other server: ${server.output()}`);
  const banner = readScreen(server.output(), columns);
  const [link = ''] = /http\S+#t=[\w-]+/.exec(server.output()) ?? [];
  const context = await browser.newContext({ viewport: shotSize, deviceScaleFactor: 1.5 });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.getByText('No requests yet').waitFor();
  const empty = await shoot(page);
  const refused = await run(wrong);
  await server.shows('→');
  await page.getByRole('link', { name: /bad signature/ }).waitFor();
  const listed = await shoot(page);
  await page.getByRole('link', { name: /bad signature/ }).click();
  await page.getByText('Your client signed').waitFor();
  const explained = await shoot(page);
  await page.getByRole('button', { name: 'Fix and replay' }).click();
  await page.locator('.sent .line').waitFor();
  const fixed = await shoot(page);
  const quotas = await run(right);
  const refusal = readScreen(server.output(), columns).slice(banner.length);
  const print = (lines: typeof banner, at: number): PrintedLine[] => lines.map((runs) => ({ runs, at }));
  return drawRecording(
    [
      {
        title: 'orgctl serve',
        y: 1,
        height: 340,
        lines: [{ command: serve, at: 0.8, takes: 1.2 }, ...print(banner, 2.3), ...print(refusal, 6.3)],
      },
      {
        title: 'client',
        y: 353,
        height: 206,
        lines: [
          { command: wrong, at: 4.4, takes: 1.2 },
          ...print(refused, 6.1),
          { command: right, at: 14.4, takes: 0.8 },
          ...print(quotas, 15.6),
        ],
      },
    ],
    [
      { ...empty, at: 2.9 },
      { ...listed, at: 6.4 },
      { ...explained, at: 8 },
      { ...fixed, at: 11.5 },
    ],
    title,
  );
}

async function run(command: string): Promise<ReturnType<typeof readScreen>> {
  const terminal = openTerminal(command, env, directory);
  await terminal.ended();
  return readScreen(terminal.output(), columns);
}

/** The page in both themes. */
async function shoot(page: Page): Promise<Pick<ConsoleShot, 'light' | 'dark'>> {
  // No row is under the mouse, and notices and marks of new rows are gone.
  await page.mouse.move(0, 0);
  await wait(2500);
  const shots: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    shots.push(await toWebp(page, await page.screenshot()));
  }
  const [light = '', dark = ''] = shots;
  return { light, dark };
}

/** A data URI, a third as long as that of the PNG. */
async function toWebp(page: Page, png: Buffer): Promise<string> {
  const blank = await page.context().newPage();
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const uri = await blank.evaluate(`new Promise((resolve) => {
    const image = new Image();
    image.onload = () => {
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d').drawImage(image, 0, 0);
      canvas.convertToBlob({ type: 'image/webp', quality: 0.85 }).then((blob) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
      });
    };
    image.src = ${JSON.stringify(source)};
  })`);
  await blank.close();
  return String(uri);
}
