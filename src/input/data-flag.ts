import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { dataDirectory } from '../platform/platform-directories.js';

/** @throws UsageError for an empty path, so that a script's unset variable does not mean the working directory */
export function chosenDataDirectory(
  data: string | undefined,
  { system, home }: Pick<Context, 'system' | 'home'>,
): string {
  const { env, platform } = system;
  if (data === undefined) return dataDirectory({ env, platform, homedir: home });
  if (data !== '') return resolve(system.cwd(), data);
  throw new UsageError('--data must not be empty', {
    hint: 'leave out --data for the standard directory; is a variable in your script empty?',
  });
}
