import { env } from 'node:process';

/** The library's default environment: that of the program that uses it. The command line passes its own. */
export const ownEnvironment: Readonly<Record<string, string | undefined>> = env;
