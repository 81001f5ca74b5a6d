import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { type Answer, HttpError, refuseNotFound } from '../http/answer.js';
import { readPageFiles } from './page-files.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function isPageTarget(target: string): boolean {
  return target === '/' || (/^\/[\w.-]+$/.test(target) && extname(target) in types);
}

/** Answers with the page's files. Reads them at the first request; if there are none, tries again at the next. */
export function pageAnswers(): (name: string, request: IncomingMessage) => Promise<Answer> {
  let files: ReadonlyMap<string, Buffer> = new Map();
  return async (name, { headers }) => {
    if (files.size === 0) files = await readPageFiles();
    if (name === '' && !files.has('index.html')) throw noPage();
    const file = name === '' ? 'index.html' : name;
    const [bytes, type] = [files.get(file), types[extname(file)]];
    if (bytes === undefined || type === undefined) throw refuseNotFound();
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    // Browsers always revalidate: an update may have changed the files.
    const cached = ['Cache-Control', 'no-cache', 'ETag', etag];
    if (headers['if-none-match'] === etag) return { status: 304, headers: cached, body: '' };
    return { status: 200, headers: ['Content-Type', type, ...cached], body: bytes };
  };
}

function noPage(): HttpError {
  return new HttpError(
    503,
    "This installation lacks the management console's page. Reinstall orgctl, run npm run build, or use orgctl local in a terminal",
  );
}
