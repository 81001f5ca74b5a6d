import { env } from 'node:process';

/** The environment of the program that uses the library, where it gives no other. The command line has its own. */
export const ownEnvironment: Readonly<Record<string, string | undefined>> = env;
