/**
 * Replaces unused parts of libraries in the bundle, which would be half of the code that the server loads at start.
 * From Fastify: schema compilers (bodies are checked by our own schemas), pino (the server has its own log), injected
 * requests, version checks of plugins, addresses from proxies. From undici, too:
 * HTTP/2. From conf: schemas and migrations. From commander: subcommands as separate programs. None of these can be
 * used.
 */

/** For HTTP/2, whose constants undici destructures when it is loaded. */
export const constants = {};

/** For conf, which imports this name. */
export const Ajv2020 = undefined;
// biome-ignore lint/style/noDefaultExport: conf imports ajv's default.
export default undefined;
