/** The API reference shows this list envelope only for `GET /quotas`. */
export interface Envelope<Item> {
  readonly data: readonly Item[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly pages: number;
}

/** Not from the API reference, which only says that `limit` is an integer. */
export const pageSize = { min: 1, max: 100, default: 20 } as const;

/** The maximum keeps row offsets well within what every database engine can count. */
export const pageNumber = { min: 1, max: 1_000_000_000_000, default: 1 } as const;

export function envelope<Item>(
  data: readonly Item[],
  at: { total: number; page: number; limit: number },
): Envelope<Item> {
  return { data, ...at, pages: Math.max(1, Math.ceil(at.total / at.limit)) };
}
