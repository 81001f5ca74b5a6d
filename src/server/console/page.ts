import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, refuseNotFound } from '../http/http-error.js';
import { readPageFiles } from './page-files.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The API document's file name; other JSON files are not part of the page. */
const document = 'openapi.json';

const startFile = 'index.html';

interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
}

export function isPageTarget(target: string): boolean {
  return target === '/' || (/^\/[\w.-]+$/.test(target) && chooseType(target.slice(1)) !== undefined);
}

function chooseType(name: string): string | undefined {
  return name === document ? 'application/json' : types[extname(name)];
}

/** Reads the page's files at the first request; if there are none, tries again at the next. */
export function pageRoutes(app: FastifyInstance, onVisit: () => void, from?: string): void {
  let kept: ReadonlyMap<string, PageFile> | undefined;
  const files = async () => {
    kept ??= await readFiles(from);
    return kept;
  };
  app.get('/', async (request, reply) => {
    onVisit();
    const page = (await files())?.get(startFile);
    if (page === undefined) throw noPage();
    return answerFile(page, request, reply);
  });
  app.get<{ Params: { file: string } }>('/:file', async (request, reply) => {
    const file = (await files())?.get(request.params.file);
    if (file === undefined) throw refuseNotFound();
    return answerFile(file, request, reply);
  });
}

function answerFile(
  { bytes, type, etag }: PageFile,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // Browsers always revalidate: an update may have changed the files.
  reply.headers({ 'cache-control': 'no-cache', etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(type).send(bytes);
}

async function readFiles(from: string | undefined): Promise<ReadonlyMap<string, PageFile> | undefined> {
  const files = [...(await readPageFiles(from))].filter(([name]) => chooseType(name) !== undefined);
  const page = new Map(files.map(([name, bytes]) => [name, pageFile(name, bytes)]));
  return page.has(startFile) ? page : undefined;
}

function pageFile(name: string, bytes: Buffer): PageFile {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { bytes, type: chooseType(name) ?? '', etag: `"${hash}"` };
}

function noPage(): HttpError {
  return new HttpError(
    503,
    "This installation lacks the management console's page. Reinstall orgctl, run npm run build, or use orgctl local in a terminal",
  );
}
