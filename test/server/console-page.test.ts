import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { pageRoutes } from '../../src/server/console/page.js';
import { temporaryDirectory } from '../support/run-cli.js';

/** The page's routes over a directory of its own. */
function page() {
  const directory = join(temporaryDirectory(), 'console');
  const app = fastify();
  let visits = 0;
  pageRoutes(app, () => (visits += 1), directory);
  const put = async (files: Record<string, string>) => {
    await mkdir(directory, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  };
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });
  return { put, get, visits: () => visits };
}

describe("the console's page", () => {
  it('is the files of the build, each with its type', async () => {
    const { put, get, visits } = page();
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
      const { statusCode, headers, body } = await get(path);
      expect([path, statusCode, headers['content-type'], body]).toEqual([path, 200, type, text]);
    }
    expect(visits()).toBe(1);
    for (const path of [
      '/notes.txt',
      '/sbom.cdx.json',
      '/none.js',
      '/..%2fconsole.js',
      '/constructor',
      '/__proto__',
    ]) {
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
    }
  });

  it('is asked about each time, and sent only when it is another one', async () => {
    const { put, get } = page();
    await put({ 'index.html': 'one' });
    const { headers } = await get('/');
    expect(headers['cache-control']).toBe('no-cache');
    const etag = String(headers.etag);
    const same = await get('/', { 'if-none-match': etag });
    expect([same.statusCode, same.body]).toEqual([304, '']);
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is read once, when it is there; until then it is said to be missing', async () => {
    const { put, get } = page();
    const missing = await get('/');
    expect(missing.statusCode).toBe(503);
    expect(missing.json()).toMatchObject({ message: expect.stringContaining('npm run build') });
    await put({ 'index.html': 'one' });
    expect((await get('/')).body).toBe('one');
    await put({ 'index.html': 'two' });
    expect((await get('/')).body).toBe('one');
  });
});
