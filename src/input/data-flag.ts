import { resolve } from 'node:path';
import type { Context } from '../cli/context.js';
import { dataDirectory } from '../platform/platform-directories.js';

export function chosenDataDirectory(
  data: string | undefined,
  { system, home }: Pick<Context, 'system' | 'home'>,
): string {
  const { env, platform } = system;
  return data === undefined ? dataDirectory({ env, platform, homedir: home }) : resolve(system.cwd(), data);
}
