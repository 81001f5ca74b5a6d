import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { dispatcherSender } from '../../src/client/network/dispatcher-sender.js';
import { openOver } from './support/open-client.js';

// What is sent, and what is made of that which comes back, does not depend on who carries it: the same tests, over a
// dispatcher as a program may give one to createClient.
beforeAll(() =>
  openOver(({ origin, caFile }) => {
    const connect = caFile === undefined ? {} : { ca: readFileSync(caFile) };
    const dispatcher = new Agent({ connect, maxHeaderSize: 64 * 1024 });
    onTestFinished(() => dispatcher.destroy());
    return dispatcherSender(dispatcher, origin);
  }),
);
afterAll(() => openOver());

const files = ['wire', 'delivery', 'broken-answers', 'clock-skew', 'interruption'];
// With a query, because test files share their modules, and each of these is a test file of its own as well.
for (const file of files) await import(/* @vite-ignore */ `./${file}.test.ts?undici`);
