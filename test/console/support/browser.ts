import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/index.js';
import { findProgram, isMissing } from '../../support/programs.js';

/** Names under which systems install it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** `ORGCTL_TEST_BROWSER` names another one. */
const executablePath =
  process.env['ORGCTL_TEST_BROWSER'] ?? names.map(findProgram).find((path) => path !== undefined);

/** Tests that want a browser. */
export const describePages = describe.skipIf(executablePath === undefined && isMissing('chromium'));

/** Nothing that asks somebody else, or that a container does not have, and no process for each page. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
];

/** What pages did wrong: they threw, logged an error, or asked another origin. */
const wrong: string[] = [];

/** A browser for the calling block. @returns opens a page that knows nothing yet */
export function useBrowser(): () => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, headless: true, args });
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
    expect(wrong.splice(0)).toEqual([]);
  });
  return async () => {
    const page = await (await browser?.newContext({ reducedMotion: 'reduce' }))?.newPage();
    if (page === undefined) throw new Error('the browser runs only inside the tests');
    watch(page);
    return page;
  };
}

/** A server with a console, and pages of it. */
export interface Console {
  readonly server: RunningServer;
  /** Opens a view by a new link, in a browser that knows nothing yet. */
  open(view?: string): Promise<Page>;
}

/** A server for the tests of the calling block; before each test it is as it was at its start. */
export function useConsole(options: ServerOptions = {}): Console {
  const newPage = useBrowser();
  let running: RunningServer | undefined;
  const server = () => {
    if (running === undefined) throw new Error('the server runs only inside the tests');
    return running;
  };
  beforeAll(async () => {
    running = await startServer({ http: true, console: true, ...options });
  });
  afterAll(() => running?.close());
  beforeEach(() => server().control.reset());
  return {
    get server() {
      return server();
    },
    async open(view = 'overview') {
      const page = await newPage();
      await page.goto(String(await server().control.consoleLink()));
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await goTo(page, view);
      return page;
    },
  };
}

/** Shows a view of a page that has a session. */
export async function goTo(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = '#/${view}'`);
  await page.locator('h1').waitFor();
}

/** Has the page ask for everything at once, as when its tab is looked at again, and not only every few seconds. */
export async function refresh(page: Page): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

export function originOf({ console }: RunningServer): string {
  return new URL(String(console)).origin;
}

/** What the browser itself says of a response that is no 2xx, or of none, which the page tells in its own way. */
const refusals = /^Failed to load resource: /;

function watch(page: Page): void {
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusals.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const isOwn = request.isNavigationRequest() || request.url().startsWith(`${new URL(page.url()).origin}/`);
    if (!isOwn) wrong.push(`asked ${request.url()}`);
  });
}
