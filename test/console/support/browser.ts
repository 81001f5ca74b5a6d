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

/**
 * Nothing that asks somebody else, or that a container does not have, and no process for each page. The profile is fresh,
 * and goes with the browser.
 */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
];

interface Shared {
  /** The page of nearly all tests: a new one takes longer than most of them. */
  readonly page: Page;
  /** A page of another browser, without a session. */
  elsewhere(): Promise<Page>;
  /** Leaves of both browsers one tab whose requests go their way, and of the other one no session. */
  tidy(): Promise<void>;
}

let shared: Promise<Shared> | undefined;
const wrong: string[] = [];

async function launch(): Promise<Shared> {
  const browser = await chromium.launch({ executablePath, headless: true, args: flags });
  const page = await newPage(browser);
  let other: Promise<Page> | undefined;
  const elsewhere = () => {
    other ??= newPage(browser);
    return other;
  };
  const tidy = async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await closeOtherTabs(page);
    if (other === undefined) return;
    const used = await other;
    await closeOtherTabs(used);
    if (used.url() !== 'about:blank') await used.evaluate('sessionStorage.clear()');
    await used.goto('about:blank');
  };
  return { page, elsewhere, tidy };
}

/** A page of a browser that knows nothing yet. A test fails when it threw, logged an error, or asked any other origin. */
async function newPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  watch(page);
  return page;
}

/** A server with a console, and pages of it. */
export interface Console {
  readonly server: RunningServer;
  /** Opens a view in a page that has just been loaded; what is left of an earlier one is its history and its tab's storage. */
  open(view?: string): Promise<Page>;
  /** Opens a view by a fresh link in another browser. */
  openElsewhere(view?: string): Promise<Page>;
  /** A page of that other browser, which has no session. */
  elsewhere(): Promise<Page>;
}

/** One browser for all files of a worker, with which it ends. */
export function useBrowser(): () => Shared {
  let open: Shared | undefined;
  beforeAll(async () => {
    if (executablePath === undefined) return;
    shared ??= launch();
    open = await shared;
  });
  afterEach(async () => {
    await open?.tidy();
    expect(wrong.splice(0)).toEqual([]);
  });
  afterAll(async () => void (await open?.page.goto('about:blank')));
  return () => {
    if (open === undefined) throw new Error('the browser runs only inside the tests');
    return open;
  };
}

/** A server for the tests of the calling block; before each test it is as it was at its start. */
export function useConsole(options: ServerOptions = {}): Console {
  const shared = useBrowser();
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
      const { page } = shared();
      await page.setViewportSize({ width: 1280, height: 720 });
      if (page.url().startsWith(`${originOf(server())}/`)) {
        // Without showing it first in the page that goes.
        await page.evaluate(`history.replaceState(null, '', '/#/${view}')`);
        await page.reload();
      } else {
        await enter(page, server());
        await page.goto(`${originOf(server())}/#/${view}`);
      }
      await page.locator('h1').waitFor();
      return page;
    },
    async openElsewhere(view = 'overview') {
      const page = await shared().elsewhere();
      await enter(page, server());
      await page.goto(`${originOf(server())}/#/${view}`);
      await page.locator('h1').waitFor();
      return page;
    },
    elsewhere: () => shared().elsewhere(),
  };
}

async function closeOtherTabs(page: Page): Promise<void> {
  const tabs = page.context().pages();
  await Promise.all(tabs.filter((tab) => tab !== page).map((tab) => tab.close()));
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

/** Has the page ask for everything at once, as when its tab is looked at again, and not only every few seconds. */
export async function refresh(page: Page): Promise<void> {
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

export function originOf({ console }: RunningServer): string {
  return new URL(String(console)).origin;
}

/** What the browser itself says of an answer that is no 2xx, or of none, which the page tells in its own way. */
const refusals = /^Failed to load resource: /;

function watch(page: Page): void {
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => {
    wrong.push(`asked with ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !refusals.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const isOwn = request.isNavigationRequest() || request.url().startsWith(`${new URL(page.url()).origin}/`);
    if (!isOwn) wrong.push(`asked ${request.url()}`);
  });
}
