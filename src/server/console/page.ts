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

const noPage = "This installation lacks the management console's page; use orgctl local in a terminal";

/** Answers with the page's files. Reads them at the first request; if there are none, tries again at the next. */
export function pageAnswers(): (name: string) => Promise<Answer> {
  let files: ReadonlyMap<string, Buffer> = new Map();
  return async (name) => {
    if (files.size === 0) files = await readPageFiles();
    if (name === '' && !files.has('index.html')) throw new HttpError(503, noPage);
    const file = name === '' ? 'index.html' : name;
    const [bytes, type] = [files.get(file), types[extname(file)]];
    if (bytes === undefined || type === undefined) throw refuseNotFound();
    return { status: 200, headers: ['Content-Type', type], body: bytes };
  };
}
