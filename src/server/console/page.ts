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

const startFile = 'index.html';

interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export function isPageTarget(target: string): boolean {
  return target === '/' || (/^\/[\w.-]+$/.test(target) && extname(target) in types);
}

/** Answers with the page's files. Reads them at the first request; if there are none, tries again at the next. */
export function pageAnswers(from?: string): (name: string, request: IncomingMessage) => Promise<Answer> {
  let kept: ReadonlyMap<string, PageFile> | undefined;
  return async (name, request) => {
    kept ??= await readFiles(from);
    if (name === '' && kept === undefined) throw noPage();
    const file = kept?.get(name === '' ? startFile : name);
    if (file === undefined) throw refuseNotFound();
    return answerFile(file, request);
  };
}

function answerFile({ bytes, type, etag }: PageFile, { headers }: IncomingMessage): Answer {
  // Browsers always revalidate: an update may have changed the files.
  const cached = ['Cache-Control', 'no-cache', 'ETag', etag];
  if (headers['if-none-match'] === etag) return { status: 304, headers: cached, body: '' };
  return { status: 200, headers: ['Content-Type', type, ...cached], body: bytes };
}

async function readFiles(from: string | undefined): Promise<ReadonlyMap<string, PageFile> | undefined> {
  const files = [...(await readPageFiles(from))].filter(([name]) => extname(name) in types);
  const page = new Map(files.map(([name, bytes]) => [name, pageFile(name, bytes)]));
  return page.has(startFile) ? page : undefined;
}

function pageFile(name: string, bytes: Buffer): PageFile {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, type: types[extname(name)] ?? '', etag: `"${hash}"` };
}

function noPage(): HttpError {
  return new HttpError(
    503,
    "This installation lacks the management console's page. Reinstall orgctl, run npm run build, or use orgctl local in a terminal",
  );
}
