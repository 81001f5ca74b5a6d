import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSystemCode } from '../../../src/errors/errors.js';
import { makeStreams } from '../../../src/terminal/output/streams.js';
import { memorySystem } from '../../support/memory-system.js';
import { temporaryDirectory } from '../../support/run-cli.js';

/** Standard output by its descriptor, and what went to the stream in its place. */
function outputTo(stdoutFile: number) {
  const system = memorySystem({ argv: [] });
  const { stdout, closed } = makeStreams({
    stdoutFile,
    get stdout() {
      return system.stdout;
    },
    stderr: system.stderr,
  });
  return { stdout, closed, streamed: () => system.stdoutText() };
}

function file() {
  const path = join(temporaryDirectory(), 'out');
  return { path, descriptor: openSync(path, 'w') };
}

function pipe(): string {
  const path = join(temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

/** Writes until the pipe takes nothing more. */
function fill(descriptor: number): void {
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    if (readSystemCode(error) !== 'EAGAIN') throw error;
  }
}

describe('stdout that is a file or a pipe', () => {
  it('gets what is short without a stream', async () => {
    const { path, descriptor } = file();
    const { stdout, streamed } = outputTo(descriptor);
    await stdout.write('one ');
    await stdout.write(Buffer.from('two ünïcode\n'));
    expect(readFileSync(path, 'utf8')).toBe('one two ünïcode\n');
    expect(streamed()).toBe('');
    expect(stdout).toMatchObject({ isTerminal: false, columns: undefined, rows: undefined });
  });

  it('gets what is long through the stream, and all that follows', async () => {
    const { path, descriptor } = file();
    const { stdout, streamed } = outputTo(descriptor);
    await stdout.write('short\n');
    await stdout.write('x'.repeat(16 * 1024));
    await stdout.write('short again\n');
    expect(readFileSync(path, 'utf8')).toBe('short\n');
    expect(streamed()).toBe(`${'x'.repeat(16 * 1024)}short again\n`);
  });

  it('goes on through the stream when the pipe is full', async () => {
    const descriptor = openSync(pipe(), constants.O_RDWR | constants.O_NONBLOCK);
    fill(descriptor);
    const { stdout, streamed } = outputTo(descriptor);
    await stdout.write('late');
    expect(streamed()).toBe('late');
    closeSync(descriptor);
  });

  it('says that its reader has left, and is quiet from then on', async () => {
    const path = pipe();
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(path, 'w');
    closeSync(reader);
    const { stdout, closed, streamed } = outputTo(writer);
    await stdout.write('nobody reads this');
    expect(closed.aborted).toBe(true);
    await stdout.write('nor this');
    expect(streamed()).toBe('');
    closeSync(writer);
  });

  it.skipIf(process.platform !== 'linux')('that is full is an error with its cause', async () => {
    const full = openSync('/dev/full', 'w');
    const system = memorySystem({ argv: [] });
    const { DirectOutput } = await import('../../../src/terminal/output/direct-output.js');
    const output = new DirectOutput(
      full,
      () => makeStreams(system).stdout,
      () => undefined,
    );
    await expect(output.write('x')).rejects.toThrow(/cannot write to standard output: .*no space left/);
    closeSync(full);
  });

  it('is left to the stream when it is neither, such as a closed descriptor', async () => {
    const { descriptor } = file();
    closeSync(descriptor);
    const { stdout, streamed } = outputTo(descriptor);
    await stdout.write('x');
    expect(streamed()).toBe('x');
  });
});
