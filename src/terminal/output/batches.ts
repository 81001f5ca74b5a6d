/** Rows that appear over time, some at once. */
export type Batches<Row> = AsyncIterable<readonly Row[]>;

/** The batches with each row mapped. */
export async function* mapBatches<Row>(
  batches: Batches<Row>,
  map: (row: Row) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const batch of batches) yield batch.map(map);
}

/** The first batch, for which this waits, and all rows one by one, its own among them. */
export async function startOf<Row>(
  batches: Batches<Row>,
): Promise<{ first: readonly Row[]; rows: AsyncIterable<Row> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const { value: first = [], done } = await iterator.next();
  async function* rows() {
    try {
      yield* first;
      if (!done) for await (const batch of { [Symbol.asyncIterator]: () => iterator }) yield* batch;
    } finally {
      // Whoever stops at the first batch must not leave the source open.
      await iterator.return?.();
    }
  }
  return { first, rows: rows() };
}

/** The rows of batches, one by one. */
export async function* flattened<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const batch of batches) yield* batch;
}
