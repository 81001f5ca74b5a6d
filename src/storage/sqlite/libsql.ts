import type Libsql from 'libsql';
import { option } from '../../contract/server-option.js';
import { ConfigError, messageOf } from '../../errors.js';

/**
 * Loads the embedded database, the one part of the product that is native: its binary is an optional package of its own
 * for each platform, which installations can lack.
 * @throws ConfigError naming the package and how to install it
 */
export async function loadLibsql(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    const [, name = 'libsql'] = /Cannot find (?:module|package) '([^']+)'/.exec(messageOf(cause)) ?? [];
    throw new ConfigError(
      `the embedded database cannot be loaded: the package ${name} is missing or does not fit this machine`,
      {
        hint: `install it: npm install ${name}, or orgctl again with its optional packages; or keep the data elsewhere, with ${option('database')}`,
        cause,
      },
    );
  }
}
