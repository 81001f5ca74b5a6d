import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import { UsageError } from '../errors/errors.js';
import { dataDirectory } from '../platform/platform-directories.js';

export function chosenDataDirectory(
  data: string | undefined,
  { system, home }: Pick<Context, 'system' | 'home'>,
): string {
  const { env, platform } = system;
  if (data === '') throw new UsageError('--data must not be empty');
  return data === undefined ? dataDirectory({ env, platform, homedir: home }) : resolve(system.cwd(), data);
}
