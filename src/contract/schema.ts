import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// The small form of zod ships no messages; without a locale every issue reads "Invalid input".
z.config(en());

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
