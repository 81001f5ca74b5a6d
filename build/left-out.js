/**
 * Stands in the bundle for parts of libraries that nobody here has a use for, and that would be half of what a start of
 * the server has to read: of Fastify its schema compilers (the contract's own schemas check bodies), pino (the server
 * has a log of its own), requests without a socket, the versions that plugins ask for and the addresses that proxies tell
 * of; of undici bodies that are not in memory; of Fastify and undici HTTP/2; of conf schemas and migrations;
 * of commander the processes of subcommands that are programs of their own. Whoever comes to use one of them
 * is told that it is no function.
 */

/** Those of HTTP/2, which undici takes apart when it is loaded. */
export const constants = {};

/** Those of conf, which it names when it is imported. */
export const Ajv2020 = undefined;
// biome-ignore lint/style/noDefaultExport: conf imports ajv's default.
export default undefined;
