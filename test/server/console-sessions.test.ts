import { mkdir, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageAnswers } from '../../src/server/console/page.js';
import { Sessions } from '../../src/server/console/sessions.js';
import { errorAnswer, toHttpError } from '../../src/server/http/answer.js';
import { readPath } from '../../src/text/base-url.js';
import { temporaryDirectory } from '../support/run-cli.js';

describe('sessions', () => {
  function withClock() {
    const clock = { now: 0 };
    return { clock, sessions: new Sessions(() => clock.now) };
  }

  it('begin within a minute of their link, or once it is used where it was only written down', () => {
    const { clock, sessions } = withClock();
    const [one, other] = [sessions.newToken(), sessions.newToken()];
    const third = sessions.newToken(Number.POSITIVE_INFINITY);
    clock.now = 60_000;
    expect(sessions.open(one)).toBeDefined();
    clock.now = 60_001;
    expect(sessions.open(other)).toBeUndefined();
    expect(sessions.open(third)).toBeDefined();
    expect(sessions.open(third)).toBeUndefined();
  });

  it('are not endless in number: those used longest ago give way', () => {
    const { sessions } = withClock();
    const first = sessions.newToken();
    const used = sessions.open(sessions.newToken()) ?? '';
    const bearers = Array.from({ length: 100 }, () => {
      expect(sessions.isOpen(used)).toBe(true);
      return sessions.open(sessions.newToken()) ?? '';
    });
    expect(sessions.isOpen(bearers[0] ?? '')).toBe(false);
    expect([used, ...bearers.slice(1)].every((bearer) => sessions.isOpen(bearer))).toBe(true);
    expect(sessions.open(first)).toBeDefined();
    const links = Array.from({ length: 101 }, () => sessions.newToken());
    expect(sessions.open(links[0] ?? '')).toBeUndefined();
    expect(sessions.open(links[1] ?? '')).toBeDefined();
  });
});

/** The page over a directory of its own. */
function page() {
  const directory = join(temporaryDirectory(), 'console');
  const answers = pageAnswers(directory);
  const put = async (files: Record<string, string>) => {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  };
  const get = async (path: string, sent: Record<string, string> = {}) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { headers: sent });
    const { status, headers, body } = await answers(readPath(path).slice(1), request).catch(
      (error: unknown) => errorAnswer(toHttpError(error)),
    );
    const read = (name: string) => headers[headers.indexOf(name) + 1];
    return { status, type: read('Content-Type'), etag: read('ETag'), headers, body: String(body) };
  };
  return { put, get };
}

describe("the console's page", () => {
  it('is the files of the build, each with its type', async () => {
    const { put, get } = page();
    await put({
      'index.html': '<!doctype html>',
      'console.js': 'let a',
      'console.css': 'a{}',
      'favicon.svg': '<svg/>',
      'notes.txt': 'not for the page',
      'sbom.cdx.json': '{}',
    });
    const files = [
      ['/', 'text/html; charset=utf-8', '<!doctype html>'],
      ['/console.js', 'text/javascript; charset=utf-8', 'let a'],
      ['/console.css', 'text/css; charset=utf-8', 'a{}'],
      ['/favicon.svg', 'image/svg+xml', '<svg/>'],
    ] as const;
    for (const [path, type, text] of files) {
      const answer = await get(path);
      expect([path, answer.status, answer.type, answer.body]).toEqual([path, 200, type, text]);
    }
    const others = [
      '/notes.txt',
      '/sbom.cdx.json',
      '/none.js',
      '/..%2fconsole.js',
      '/constructor',
      '/__proto__',
    ];
    for (const path of others) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('is read once, when it is there, asked about each time, and sent only when it is another one', async () => {
    const { put, get } = page();
    const missing = await get('/');
    expect(missing.status).toBe(503);
    expect(missing.body).toContain('npm run build');
    await put({ 'index.html': 'one' });
    const { headers, body, etag } = await get('/');
    expect([body, headers]).toEqual(['one', expect.arrayContaining(['Cache-Control', 'no-cache'])]);
    await put({ 'index.html': 'two' });
    expect((await get('/', { 'if-none-match': '"other"' })).body).toBe('one');
    const same = await get('/', { 'if-none-match': String(etag) });
    expect([same.status, same.body]).toEqual([304, '']);
  });
});
