import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { DeclinedError, InterruptedError, UsageError } from '../../../src/errors/errors.js';
import { makePrompt, type Prompt } from '../../../src/terminal/interaction/prompt.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { type MemorySystem, memorySystem } from '../../support/memory-system.js';

const hint = 'use --password-stdin';
const hidden = (prompt: Prompt) => prompt.hidden('Password', { hint });
const confirm = (prompt: Prompt) => prompt.choose('Delete conn_1?', { hint });
const questions: readonly [string, (prompt: Prompt) => Promise<unknown>][] = [
  ['hidden', hidden],
  ['confirm', confirm],
];

interface Asked<Answer> {
  readonly system: MemorySystem;
  readonly answer: Promise<Answer>;
}

/** Asks on a terminal in memory, and returns once the question is on the screen. */
async function ask<Answer>(
  question: (prompt: Prompt) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Asked<Answer>> {
  const system = memorySystem({ isTTY: true });
  const answer = question(makePrompt({ system, streams: makeStreams(system), signal }));
  // Whoever expects a failure awaits it later than it happens.
  answer.catch(() => undefined);
  await once(system.stdin, 'resume');
  return { system, answer };
}

describe('a hidden answer', () => {
  test('is what was typed, corrections applied, and is not shown', async () => {
    const { system, answer } = await ask(hidden);
    expect(system.rawMode).toBe(true);
    system.type('s3cr\u007fret\r');
    expect(await answer).toBe('s3cret');
    expect(system.rawMode).toBe(false);
    expect(system.stderrText()).toContain('Password');
    expect(system.stderrText()).not.toMatch(/s3c|ret/);
    expect(system.stdoutText()).toBe('');
  });

  test('may be empty, and leaves the cursor below the question, and stderr open', async () => {
    const { system, answer } = await ask(hidden);
    system.type('\r');
    expect(await answer).toBe('');
    expect(system.stderrText()).toBe('Password [hidden] \n');
    expect(system.stderr.writable).toBe(true);
  });
});

test.each([
  ['y', true],
  ['Yes', true],
  ['', false],
  ['n', false],
  ['yeah', false],
])('a confirmation by %j is %s', async (typed, expected) => {
  const { system, answer } = await ask((prompt) => prompt.choose('Delete \u001b]0;x\u0007?', { hint }));
  system.type(`${typed}\r`);
  expect(await answer).toBe(expected);
  expect(system.stderrText()).toContain('Delete \\u{1b}]0;x\\u{7}? [y/N]');
  expect(system.rawMode).toBe(false);
});

describe.each(questions)('%s', (_name, question) => {
  test.each([
    ['stdin', { stderr: true, stdout: true }],
    ['stderr', { stdin: true, stdout: true }],
  ])('needs %s to be a terminal', async (_stream, isTTY) => {
    const system = memorySystem({ isTTY, stdin: 'y\n' });
    const answer = question(makePrompt({ system, streams: makeStreams(system) }));
    await expect(answer).rejects.toThrow(UsageError);
    await expect(answer).rejects.toMatchObject({ details: { hint } });
  });

  test('Ctrl-C interrupts and restores the terminal', async () => {
    const { system, answer } = await ask(question);
    system.type('ab\u0003');
    await expect(answer).rejects.toMatchObject({ name: 'InterruptedError', code: 'interrupted' });
    expect(system.rawMode).toBe(false);
    expect(system.stderrText()).toContain('\n');
  });

  test('Ctrl-D ends the command as a no does, and so does a terminal that goes away', async () => {
    const { system, answer } = await ask(question);
    system.type('\u0004');
    await expect(answer).rejects.toMatchObject({ name: 'DeclinedError', code: 'interrupted' });
    expect(system.rawMode).toBe(false);
    const gone = await ask(question);
    gone.system.stdin.push(null);
    await expect(gone.answer).rejects.toThrow(DeclinedError);
  });

  test('a signal to the command ends it with its reason', async () => {
    const controller = new AbortController();
    const { system, answer } = await ask(question, controller.signal);
    controller.abort(new InterruptedError('SIGTERM'));
    await expect(answer).rejects.toMatchObject({ code: 'terminated' });
    expect(system.rawMode).toBe(false);
    const late = memorySystem({ isTTY: true });
    const { signal } = controller;
    const unasked = question(makePrompt({ system: late, streams: makeStreams(late), signal }));
    await expect(unasked).rejects.toThrow(InterruptedError);
    expect(late.stderrText()).toBe('');
  });
});

describe('an answer that cannot be used', () => {
  const refusing = (text: string) => (answer: string) => {
    if (answer === text) throw new UsageError(`not \u001b${text}`);
  };

  test.each(['line', 'hidden'] as const)('is refused, and asked for again: %s', async (kind) => {
    const { system, answer } = await ask((prompt) => prompt[kind]('Name', { hint, check: refusing('bad') }));
    system.type('bad\r');
    await vi.waitFor(() => expect(system.stderrText().split('not \\u{1b}bad\n')[1]).toContain('Name'));
    system.type('good\r');
    expect(await answer).toBe('good');
    expect(system.rawMode).toBe(false);
  });
});

test('what was pasted after an answer is not shown: it may be a secret', async () => {
  const { system, answer } = await ask((prompt) => prompt.line('Name', { hint }));
  system.type('a\rs3cret\r');
  expect(await answer).toBe('a');
  expect(system.stderrText()).not.toContain('s3cret');
});
