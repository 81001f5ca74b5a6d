import { processorTime } from '../../terminal/process-system.js';
import { ExplainingBudget } from '../explain/explaining-budget.js';
import { Faults } from '../faults/faults.js';
import { Journal } from '../journal/journal.js';
import { Recorder } from '../journal/recorder.js';
import { RateLimiter, type RequestLimiter } from '../pipeline/rate-limiter.js';
import type { ServerOptions } from '../server-options.js';
import { ServerClock } from './clock.js';

/** What a test can set and read on a running server. */
export interface Lab {
  readonly clock: ServerClock;
  readonly faults: Faults;
  readonly rateLimiter: RequestLimiter;
  readonly journal: Journal;
  readonly recorder: Recorder;
}

/** @throws UsageError for a fault rule that cannot be read. */
export function openLab({
  clock: source = () => Date.now(),
  clockOffset,
  faults,
  rateLimit,
  onLog,
  logged,
}: ServerOptions): Lab {
  const clock = new ServerClock(source, clockOffset);
  // On a machine that others keep busy, what took long may have been little work.
  const budget = new ExplainingBudget(() => performance.now(), processorTime);
  const journal = new Journal();
  return {
    clock,
    faults: new Faults(faults),
    rateLimiter: new RateLimiter(rateLimit, clock.now),
    journal,
    recorder: new Recorder({ journal, budget, log: onLog, logged }),
  };
}
