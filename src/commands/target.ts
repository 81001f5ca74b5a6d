import { isOriginForm } from '../contract/target.js';
import { UsageError } from '../errors.js';

/** @throws UsageError for a target that cannot go out byte for byte as typed (contract, section 1) */
export function parseTarget(target: string): string {
  if (isOriginForm(target)) return target;
  throw new UsageError(`${JSON.stringify(target)} is not a path below the base URL`, {
    hint: 'it starts with one slash; spaces, control and non-ASCII characters are percent-encoded: /connections?limit=5',
  });
}
