import fc from 'fast-check';

/**
 * Runs a property. A failure tells when it was and the seed, by which it is run again: ORGCTL_TEST_SEED.
 *
 * @param numRuns how often, unless it fails before
 */
export async function assertHolds<Values>(
  property: fc.IAsyncProperty<Values>,
  numRuns: number,
): Promise<void> {
  const seed = process.env['ORGCTL_TEST_SEED'];
  const run = await fc.check(property, { numRuns, ...(seed !== undefined && { seed: Number(seed) }) });
  if (!run.failed) return;
  const when = new Date().toISOString();
  const cause = run.errorInstance;
  throw new Error(`${when}, ORGCTL_TEST_SEED=${run.seed}: ${await fc.asyncDefaultReportMessage(run)}`, {
    cause,
  });
}
