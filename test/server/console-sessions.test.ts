import { createHash } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionAnswerSchema } from '../../src/api/control/control-answers.js';
import { pageAnswers } from '../../src/server/console/page.js';
import { proveRenewal, Sessions } from '../../src/server/console/sessions.js';
import { storeSessions } from '../../src/server/data/stored-sessions.js';
import { errorAnswer, toHttpError } from '../../src/server/http/answer.js';
import { startServer } from '../../src/server/index.js';
import { readPath } from '../../src/text/base-url.js';
import { temporaryDirectory } from '../support/run-cli.js';
import { at } from './support/caller.js';
import { useServers } from './support/start.js';
import { Visitor } from './support/visitor.js';

const servers = useServers();

describe('sessions', () => {
  function withClock() {
    const clock = { now: 0 };
    return { clock, sessions: new Sessions(() => clock.now) };
  }

  it('begin within a minute of the first sight of their link, or of the first visit where it was only written down', () => {
    const { clock, sessions } = withClock();
    const [one, other] = [sessions.newToken(), sessions.newToken()];
    const [third, fourth] = [sessions.newUnseenToken(), sessions.newUnseenToken()];
    clock.now = 60_000;
    expect(sessions.open(one)).toBeDefined();
    clock.now = 60_001;
    expect(sessions.open(other)).toBeUndefined();
    sessions.startLinkTimers();
    clock.now += 60_000;
    sessions.startLinkTimers();
    expect(sessions.open(third)).toBeDefined();
    clock.now += 1;
    expect(sessions.open(fourth)).toBeUndefined();
  });

  it('begin with a code within a minute, of which nobody guesses many', () => {
    const { clock, sessions } = withClock();
    const [one, other] = [sessions.newCode(), sessions.newCode()];
    clock.now = 60_000;
    expect(sessions.open(one)).toBeDefined();
    clock.now = 60_001;
    expect(sessions.open(other)).toBeUndefined();
    const [guessed, again] = [sessions.newCode(), sessions.newCode()];
    const link = sessions.newToken();
    for (let guess = 0; guess < 19; guess += 1) expect(sessions.open('0000-0000')).toBeUndefined();
    expect(sessions.open(guessed)).toBeDefined();
    expect(sessions.open('0000-0000')).toBeUndefined();
    expect(sessions.open(again)).toBeUndefined();
    // Guesses close no link, and the next code is as good as the first.
    expect(sessions.open(link)).toBeDefined();
    expect(sessions.open(sessions.newCode())).toBeDefined();
  });

  it('are not endless in number: those used longest ago give way', () => {
    const { sessions } = withClock();
    const first = sessions.newToken();
    const used = sessions.open(sessions.newToken())?.bearer ?? '';
    const bearers = Array.from({ length: 100 }, () => {
      expect(sessions.isOpen(used)).toBe(true);
      return sessions.open(sessions.newToken())?.bearer ?? '';
    });
    expect(sessions.isOpen(bearers[0] ?? '')).toBe(false);
    expect([used, ...bearers.slice(1)].every((bearer) => sessions.isOpen(bearer))).toBe(true);
    expect(sessions.open(first)).toBeDefined();
    const links = Array.from({ length: 101 }, () => sessions.newToken());
    expect(sessions.open(links[0] ?? '')).toBeUndefined();
    expect(sessions.open(links[1] ?? '')).toBeDefined();
  });
});

describe('a session of a page', () => {
  const options = { http: true, console: true };

  it('is proved to the next start, whose directory has only its hash, for its owner alone', async () => {
    const data = await servers.directory();
    const first = await startServer({ ...options, data });
    const { bearer, renewal } = sessionAnswerSchema.parse(
      (await new Visitor(first).enter(first.console)).json,
    );
    const path = join(data, 'console-sessions.json');
    const text = await readFile(path, 'utf8');
    expect(text).not.toMatch(new RegExp(`${bearer}|${renewal}`));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await first.close();
    const second = await servers.start({ ...options, data });
    const visitor = new Visitor(second);
    const identity = (await visitor.send('GET', '/session/renewal')).json;
    expect(identity).toMatchObject({ newLink: 'orgctl local console' });
    const start = String(at(identity, 'start'));
    const hash = createHash('sha256').update(renewal).digest('hex');
    const prove = (proof: string) => visitor.send('POST', '/session/renewal', { proof });
    const refused = [
      proveRenewal(hash, `${start}x`, visitor.origin),
      proveRenewal(hash, start, 'http://127.0.0.1:1'),
      proveRenewal('0'.repeat(64), start, visitor.origin),
      hash,
    ];
    for (const proof of refused) expect((await prove(proof)).status).toBe(401);
    const renewed = await prove(proveRenewal(hash, start, visitor.origin));
    const authorization = (value: unknown) => ({ authorization: `Bearer ${String(value)}` });
    const status = (value: unknown) =>
      visitor
        .send('GET', '/_control/status', undefined, authorization(value))
        .then((answer) => answer.status);
    expect(await status(at(renewed.json, 'bearer'))).toBe(200);
    expect(await status(bearer)).toBe(401);
  });

  it('is over after 12 hours, and with a damaged file', async () => {
    const data = await servers.directory();
    const stored = storeSessions(data);
    const sessions = new Sessions();
    const hash = '0'.repeat(64);
    sessions.restore([{ hash, until: Date.now() - 1 }]);
    expect(sessions.renew(proveRenewal(hash, sessions.start, 'http://a'), 'http://a')).toBeUndefined();
    sessions.restore([{ hash, until: Date.now() + 1000 }]);
    expect(sessions.renew(proveRenewal(hash, sessions.start, 'http://a'), 'http://a')).toBeDefined();
    await writeFile(join(data, 'console-sessions.json'), '[{"hash":', { mode: 0o600 });
    expect(await stored.read()).toEqual([]);
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
      'openapi.json': '{"openapi":"3.1.1"}',
    });
    const files = [
      ['/', 'text/html; charset=utf-8', '<!doctype html>'],
      ['/console.js', 'text/javascript; charset=utf-8', 'let a'],
      ['/console.css', 'text/css; charset=utf-8', 'a{}'],
      ['/favicon.svg', 'image/svg+xml', '<svg/>'],
      ['/openapi.json', 'application/json', '{"openapi":"3.1.1"}'],
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
