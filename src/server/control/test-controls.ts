import { Faults } from '../../api/faults/faults.js';
import { ExplainingBudget } from '../../signing/refusals/explaining-budget.js';
import { RateLimiter, type RequestLimiter } from '../admission/rate-limiter.js';
import { isServiceTarget } from '../http/url-space.js';
import { Journal } from '../journal/journal.js';
import { Recorder } from '../journal/recorder.js';
import type { ServerOptions } from '../options/server-options.js';
import { Stubs } from '../stubs/stubs.js';
import { ServerClock } from './clock.js';

export interface TestControls {
  readonly clock: ServerClock;
  readonly faults: Faults;
  readonly stubs: Stubs;
  readonly rateLimiter: RequestLimiter;
  readonly journal: Journal;
  readonly recorder: Recorder;
}

export function openTestControls({
  clock: source = () => Date.now(),
  clockOffset,
  faults,
  stubs,
  rateLimit,
  onLog,
  logged,
}: ServerOptions): TestControls {
  const clock = new ServerClock(source, clockOffset);
  const journal = new Journal(clock.now);
  return {
    clock,
    faults: new Faults(faults, isServiceTarget),
    stubs: new Stubs(stubs),
    rateLimiter: new RateLimiter(rateLimit, clock.now),
    journal,
    recorder: new Recorder({ journal, budget: new ExplainingBudget(), log: onLog, logged }),
  };
}
