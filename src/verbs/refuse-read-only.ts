import type { Context } from '../cli/context.js';
import { readOnlyHint } from '../cli/error-report.js';
import { ConfigError } from '../errors/errors.js';

/** For use before the first change of a command; the transport would refuse each change separately. @throws ConfigError */
export async function refuseReadOnly({ settings }: Pick<Context, 'settings'>): Promise<void> {
  if (!(await settings().readOnly()).value) return;
  throw new ConfigError('this profile is read-only; nothing was changed', { hint: readOnlyHint });
}
