import { env } from 'node:process';

/** The library's default environment; the command line passes its own. */
export const ownEnvironment: Readonly<Record<string, string | undefined>> = env;
