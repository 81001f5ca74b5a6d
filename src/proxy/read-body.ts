import type { IncomingMessage } from 'node:http';
import { defaultMaxBodyBytes } from '../client/signing/body-bytes.js';

/** The whole body; `too large` above 16 MiB; `undefined` if the client left before the end. */
export function readSmallBody(request: IncomingMessage): Promise<Buffer | 'too large' | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= defaultMaxBodyBytes) return void chunks.push(chunk);
      request.off('data', take);
      resolve('too large');
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => resolve(undefined));
  });
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return coding !== undefined || Number(length) > 0;
}
