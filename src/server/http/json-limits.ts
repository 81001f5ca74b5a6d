import { isDeeperThan, printJson } from '../../text/exact-json.js';
import { maxBodyBytes } from './read-body.js';

/** Limits of free-form JSON, in bodies and connection settings. */
export const jsonLimits = { bytes: maxBodyBytes, depth: 64 } as const;

/** The limit that settings exceed, worded as the end of a sentence. */
export function findExceededLimit(value: unknown): string | undefined {
  if (isDeeperThan(jsonLimits.depth, value)) return `is nested deeper than ${jsonLimits.depth} levels`;
  const bytes = Buffer.byteLength(printJson(value));
  return bytes > jsonLimits.bytes ? `has more than ${jsonLimits.bytes} bytes of JSON` : undefined;
}
