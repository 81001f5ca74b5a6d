import fc from 'fast-check';
import { it } from 'vitest';
import { assertHolds } from './support/assert-holds.js';
import { sequences } from './support/described-requests.js';
import { runSequence } from './support/run-sequence.js';
import { useServer } from './support/start.js';

const context = useServer({ quotas: { teams: 5, connections: 5, 'api-keys': 5 } });

// A longer one is in test/hard.
it('requests made from the description, valid and nearly so, are answered as it says, and the quotas are what there is', async () => {
  await assertHolds(
    fc.asyncProperty(sequences, (steps) => runSequence(steps, context.caller)),
    12,
  );
});
