import { expect, it } from 'vitest';
import { readEvents } from '../../src/api/control/control-events.js';

const stream = `retry: 500
id: a-1

id: a-2
event: request
data: {"name":"Zoë 🙂"}

id: a-3
event: request
data: cut off`;

it.each([
  ['at once', stream, 1000],
  ['byte by byte', stream, 1],
])('events are read whole that arrive %s', async (_how, text, size) => {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const events: unknown[] = [];
  let last: string | undefined;
  for await (const { events: arrived, lastId } of readEvents(chunks())) {
    events.push(...arrived);
    last = lastId;
  }
  expect([events, last]).toEqual([[{ name: 'request', data: '{"name":"Zoë 🙂"}' }], 'a-2']);
});
