import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { DeclinedError, InterruptedError, UsageError } from '../../src/errors/errors.js';
import { Prompt } from '../../src/terminal/interaction/prompt.js';
import { makeStreams } from '../../src/terminal/output/streams.js';
import { memorySystem } from '../support/memory-system.js';

const hint = 'use --password-stdin';
const hidden = (prompt: Prompt) => prompt.hidden('Password', { hint });
const confirm = (prompt: Prompt) => prompt.confirm('Delete \u001b]0;x\u0007?', { hint, declined: 'kept' });

/** Asks on a terminal in memory, and returns once the question is on the screen. */
async function ask<Answer>(question: (prompt: Prompt) => Promise<Answer>, signal?: AbortSignal) {
  const system = memorySystem({ isTTY: true });
  const answer = question(new Prompt({ system, streams: makeStreams(system), signal }));
  // Whoever expects a failure awaits it later than it happens.
  answer.catch(() => undefined);
  await once(system.stdin, 'resume');
  return { system, answer };
}

test('a hidden answer is what was typed, corrections applied, and is not shown', async () => {
  const { system, answer } = await ask(hidden);
  expect(system.rawMode).toBe(true);
  system.type('s3cr\u007fret\r');
  expect(await answer).toBe('s3cret');
  expect(system.rawMode).toBe(false);
  expect(system.stderrText()).toBe('Password [hidden] \n');
});

test.each([
  ['y', true],
  ['Yes', true],
  ['', false],
  ['yeah', false],
])('a confirmation by %j is %s', async (typed, expected) => {
  const { system, answer } = await ask(confirm);
  system.type(`${typed}\r`);
  if (expected) await answer;
  else await expect(answer).rejects.toMatchObject({ name: 'DeclinedError', message: 'kept' });
  expect(system.stderrText()).toContain('Delete \\u{1b}]0;x\\u{7}? [y/N]');
  expect(system.rawMode).toBe(false);
});

describe.each<[string, (prompt: Prompt) => Promise<unknown>]>([
  ['hidden', hidden],
  ['confirm', confirm],
])('%s', (_name, question) => {
  test('needs stdin and stderr to be terminals', async () => {
    for (const isTTY of [{ stderr: true }, { stdin: true }]) {
      const system = memorySystem({ isTTY, stdin: 'y\n' });
      const answer = question(new Prompt({ system, streams: makeStreams(system) }));
      await expect(answer).rejects.toMatchObject({ name: 'UsageError', details: { hint } });
    }
  });

  test.each([
    ['Ctrl-C', 'ab\u0003', InterruptedError],
    ['Ctrl-D', '\u0004', DeclinedError],
  ])('%s ends it and restores the terminal', async (_key, keys, failure) => {
    const { system, answer } = await ask(question);
    system.type(keys);
    await expect(answer).rejects.toThrow(failure);
    expect(system.rawMode).toBe(false);
    expect(system.stderrText()).toContain('\n');
  });

  test('a signal ends it with its reason', async () => {
    const controller = new AbortController();
    const { system, answer } = await ask(question, controller.signal);
    controller.abort(new InterruptedError('SIGTERM'));
    await expect(answer).rejects.toMatchObject({ code: 'terminated' });
    expect(system.rawMode).toBe(false);
  });
});

test('an answer that cannot be used is asked for again, and what was pasted after it is never shown', async () => {
  const check = (answer: string) => {
    if (answer === 'bad') throw new UsageError('not \u001bbad');
  };
  const { system, answer } = await ask((prompt) => prompt.line('Name', { hint, check }));
  system.type('bad\rs3cret\r');
  await vi.waitFor(() => expect(system.stderrText().split('not \\u{1b}bad\n')[1]).toContain('Name'));
  system.type('good\r');
  expect(await answer).toBe('good');
  expect(system.stderrText()).not.toContain('s3cret');
});
