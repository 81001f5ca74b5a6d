import { describe, expect, it } from 'vitest';
import { connections, fileOf } from '../../commands/support/connection-entries.js';
import {
  type Answer,
  createdAnswer,
  quotaAnswer,
  scriptedService,
} from '../../commands/support/scripted-service.js';
import { httpAnswer } from '../../support/hostile-peer.js';
import { type Ended, errorOf, startCli } from '../../support/run-cli.js';

function rowsOf({ stdout }: Ended): Record<string, unknown>[] {
  return JSON.parse(stdout);
}

/** How many rows there are of each result. */
function resultsOf(ended: Ended): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { result } of rowsOf(ended)) counts[String(result)] = (counts[String(result)] ?? 0) + 1;
  return counts;
}

/** A service with room for 2,000 connections, which creates as the test says. */
function creating(answer: Answer = createdAnswer) {
  return scriptedService({ 'GET /quotas': () => quotaAnswer(2000), 'POST /connections': answer });
}

describe('a reader that leaves', () => {
  const file = fileOf(connections(60));

  it('stops no change that was begun, and hides no failure', async () => {
    for (const failing of [false, true]) {
      const answer: Answer = (request) =>
        failing && request.nth === 59 ? httpAnswer(422, { message: 'no' }) : createdAnswer(request);
      const { env, posted } = await creating(answer);
      const run = startCli(['connections', 'create', '--file', file, '-o', 'jsonl'], { env });
      run.system.closeStdout();
      const ended = await run.ended;
      expect(posted()).toHaveLength(60);
      expect(ended).toMatchObject({ code: failing ? 12 : 0, stdout: '' });
    }
  });
});

describe('interrupted', () => {
  it('prints the rows so far, says what is unknown and how to go on', async () => {
    const { env, peer, posted } = await creating((request) =>
      request.nth < 20 ? createdAnswer(request) : undefined,
    );
    const file = fileOf(connections(100));
    const { ended: end, system } = startCli(['connections', 'create', '--file', file, '-o', 'json'], { env });
    await peer.received(20 + 8);
    system.raise('SIGINT');
    const ended = await end;
    expect(ended.code).toBe(130);
    expect(posted()).toHaveLength(28);
    expect(resultsOf(ended)).toEqual({ created: 20, 'outcome unknown': 8, 'not tried': 72 });
    expect(errorOf(ended)).toMatchObject({
      code: 'interrupted',
      hint: expect.stringContaining('100 connections: 20 created, 8 with unknown outcome, 72 not tried'),
    });
    expect(errorOf(ended)['hint']).toContain('--skip-existing');
  });
});
