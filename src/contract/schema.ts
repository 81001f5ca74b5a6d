import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// The small form of zod ships no messages; without a locale every issue reads "Invalid input".
const { localeError: said } = en();
z.config({ localeError: (issue) => plainSize(issue) ?? said?.(issue) });

/** A bound that a value breaks, in plain words. */
function plainSize(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined;
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  const unit = units.get(issue.origin);
  if (isSmall && unit !== undefined && Number(bound) === 1) return 'must not be empty';
  if (issue.inclusive === false) return `must be ${isSmall ? 'more' : 'less'} than ${bound}`;
  const limit = issue.exact ? 'exactly' : isSmall ? 'at least' : 'at most';
  return unit === undefined ? `must be ${limit} ${bound}` : `must have ${limit} ${bound} ${unit}`;
}

const units = new Map([
  ['string', 'characters'],
  ['array', 'items'],
]);

export { z };

/**
 * What is wrong with a value, as one sentence a person can act on: `config.port: …; name: …`.
 * Only paths and expectations are named, never the offending value: it may be a password.
 */
export function describeIssues(error: z.core.$ZodError): string {
  return error.issues.map(describeIssue).join('; ');
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = z.core.toDotPath(issue.path);
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}
