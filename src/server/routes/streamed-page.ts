import { Readable } from 'node:stream';
import type { Envelope } from '../../contract/envelope.js';
import { printJson } from '../../contract/exact-json.js';

const start = '{"data":[';

/**
 * A page of a list as a stream of JSON, of which one item is in memory at a time: the next one is asked for when the
 * reader has taken what was before. @param frame the page's envelope; its own items do not count
 */
export function streamedPage(items: AsyncIterable<unknown>, frame: Envelope<unknown>): Readable {
  return Readable.from(textOf(items, { ...frame, data: [] }), { objectMode: false });
}

async function* textOf(items: AsyncIterable<unknown>, frame: Envelope<unknown>): AsyncGenerator<string> {
  const end = printJson(frame).slice(start.length);
  let before = start;
  for await (const item of items) {
    yield before + printJson(item);
    before = ',';
  }
  yield before === start ? start + end : end;
}
