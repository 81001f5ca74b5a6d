export type Batches<Row> = AsyncIterable<readonly Row[]>;

export async function* mapBatches<Row>(
  batches: Batches<Row>,
  map: (row: Row) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const batch of batches) yield batch.map(map);
}

/** Waits for the first batch. Returns it, and all rows, including those of the first batch. */
export async function readStart<Row>(
  batches: Batches<Row>,
): Promise<{ first: readonly Row[]; rows: AsyncIterable<Row> }> {
  const iterator = batches[Symbol.asyncIterator]();
  const { value: first = [], done } = await iterator.next();
  async function* rows() {
    try {
      yield* first;
      if (!done) for await (const batch of { [Symbol.asyncIterator]: () => iterator }) yield* batch;
    } finally {
      // A caller that stops at the first batch must not leave the source open.
      await iterator.return?.();
    }
  }
  return { first, rows: rows() };
}

export async function* flattenBatches<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const batch of batches) yield* batch;
}
