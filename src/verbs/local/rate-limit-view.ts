import type { TypedView } from '../../terminal/output/printer.js';
import { formatDuration } from '../../text/duration.js';

/** `window` is in milliseconds. */
export interface ShownRateLimit {
  readonly requests: number;
  readonly window: number;
}

export const rateLimitView: TypedView<ShownRateLimit> = {
  columns: [
    { header: 'REQUESTS', value: 'requests', align: 'right' },
    { header: 'WINDOW', value: ({ window }) => formatDuration(window), data: ({ window }) => window },
  ],
  empty: 'no rate limit',
};
