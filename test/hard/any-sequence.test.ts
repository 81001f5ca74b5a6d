import fc from 'fast-check';
import { it } from 'vitest';
import { assertHolds } from '../server/support/assert-holds.js';
import { sequences } from '../server/support/described-requests.js';
import { runSequence } from '../server/support/run-sequence.js';
import { useServer } from '../server/support/start.js';
import { rounds } from './support/budget.js';

const context = useServer({ quotas: { teams: 5, connections: 5, 'api-keys': 5 } });

it('sequences of requests are answered as the API is described', async () => {
  await assertHolds(
    fc.asyncProperty(sequences, (steps) => runSequence(steps, context.caller)),
    rounds(2_000, 200),
  );
});
