/** Which part of a list is wanted: `page` counts from 1. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** How many rows come before the page. */
export function offsetOf({ page, limit }: PageRequest): number {
  return (page - 1) * limit;
}
