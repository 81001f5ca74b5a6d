import { z } from './schema.js';

/** The list envelope that the reference shows for `GET /quotas` (section 4); for other lists it is ours. */
export interface Envelope<Item> {
  readonly data: readonly Item[];
  /** How many items there are on all pages. */
  readonly total: number;
  /** This page, counted from 1. */
  readonly page: number;
  /** The page size. */
  readonly limit: number;
  /** How many pages there are. */
  readonly pages: number;
}

/** An envelope as it comes over the wire; fields that the service adds pass through. */
export function envelopeSchema<Item extends z.core.$ZodType>(item: Item) {
  return z.looseObject({
    data: z.array(item),
    total: z.int(),
    page: z.int(),
    limit: z.int(),
    pages: z.int(),
  });
}

/** Bounds and default of a list's `limit`: ours, the reference shows only that it is an integer. */
export const pageSize = { min: 1, max: 100, default: 20 } as const;

/** Bounds and default of a list's `page` [ours]. Above, rows before it are no number that every engine can count to. */
export const pageNumber = { min: 1, max: 1_000_000_000_000, default: 1 } as const;

/** Builds the envelope round one page. */
export function envelope<Item>(
  data: readonly Item[],
  at: { total: number; page: number; limit: number },
): Envelope<Item> {
  return { data, ...at, pages: Math.max(1, Math.ceil(at.total / at.limit)) };
}
