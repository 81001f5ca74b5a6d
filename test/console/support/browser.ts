import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/index.js';
import { useBuiltTool } from '../../support/built-tool.js';

/** Names under which systems install it. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of a Chromium; `ORGCTL_TEST_BROWSER` names another one. */
function findBrowser(): string | undefined {
  const given = process.env['ORGCTL_TEST_BROWSER'];
  if (given !== undefined) return given;
  const paths = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap((name) => paths.map((path) => join(path, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of the browser that is used; `undefined` where there is none. */
export const executablePath = findBrowser();
if (executablePath === undefined) {
  console.warn('chromium: not installed; the pages of the management console are not tested');
}

/** Tests that want a browser; without one they say that they did not run. */
export const describePages = describe.skipIf(executablePath === undefined);

/** Nothing that asks somebody else, or that a container does not have. The profile is fresh, and goes with the browser. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let shared: Promise<Browser> | undefined;

/** One browser for all files of a worker, with which it ends. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (executablePath === undefined) return;
    shared ??= chromium.launch({ executablePath, headless: true, args: flags });
    browser = await shared;
  });
  return () => {
    if (browser === undefined) throw new Error('the browser runs only inside the tests');
    return browser;
  };
}

/** A server with a console, and pages of it. */
export interface Console {
  readonly server: RunningServer;
  /** Opens a view by a fresh link; what is left of an earlier page is its history and its tab's storage. */
  open(view?: string, options?: BrowserContextOptions): Promise<Page>;
}

/**
 * A server for the tests of the calling block; before each test it is as it was at its start. A test fails when a page of
 * it threw, logged an error, or asked any other origin.
 */
export function useConsole(browser: () => Browser, options: ServerOptions = {}): Console {
  useBuiltTool();
  let running: RunningServer | undefined;
  let usual: Page | undefined;
  const wrong: string[] = [];
  const server = () => {
    if (running === undefined) throw new Error('the server runs only inside the tests');
    return running;
  };
  beforeAll(async () => {
    running = await startServer({ http: true, console: true, ...options });
  });
  afterAll(async () => {
    await usual?.context().close();
    await running?.close();
  });
  beforeEach(() => server().control.reset());
  afterEach(async () => {
    await closeAllBut(usual, browser());
    expect(wrong.splice(0)).toEqual([]);
  });
  const newPage = async (contextOptions: BrowserContextOptions) => {
    const page = await (await browser().newContext(contextOptions)).newPage();
    watch(page, wrong);
    return page;
  };
  return {
    get server() {
      return server();
    },
    async open(view = 'overview', contextOptions) {
      // A page is a process, which takes longer than most tests.
      if (contextOptions === undefined) usual ??= await newPage({});
      const page =
        contextOptions === undefined && usual !== undefined ? usual : await newPage(contextOptions ?? {});
      await page.goto('about:blank');
      await enter(page, server());
      await page.goto(`${originOf(server())}/#/${view}`);
      await page.locator('h1').waitFor();
      return page;
    },
  };
}

async function closeAllBut(page: Page | undefined, browser: Browser): Promise<void> {
  const contexts = browser.contexts().filter((context) => context !== page?.context());
  const pages =
    page
      ?.context()
      .pages()
      .filter((other) => other !== page) ?? [];
  await Promise.all([...contexts, ...pages].map((one) => one.close()));
}

/** Opens a page by a link, as a person does. */
async function enter(page: Page, server: RunningServer): Promise<void> {
  await page.goto(String(await server.control.consoleLink()));
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** Chooses an action in the menu of a row. */
export async function act(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

export function originOf({ console }: RunningServer): string {
  return new URL(String(console)).origin;
}

/** What the browser itself says of an answer that is no 2xx, or of none, which the page tells in its own way. */
const refusals = /^Failed to load resource: /;

function watch(page: Page, wrong: string[]): void {
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusals.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const isOwn = request.isNavigationRequest() || request.url().startsWith(`${new URL(page.url()).origin}/`);
    if (!isOwn) wrong.push(`asked ${request.url()}`);
  });
}
