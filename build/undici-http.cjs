/**
 * Stands in the command line's bundle for `node:http` in undici, which takes two values from it: the class of Node's own
 * messages, which we never send as bodies, and a default for `maxHeaderSize`, which src/client/network/dispatcher.ts sets.
 * Loading that module takes a fiftieth of a request.
 */
module.exports = { IncomingMessage: undefined, maxHeaderSize: 16_384 };
