/**
 * Replaces `node:http` for undici in the command line's bundle, because loading `node:http` takes time. undici uses two
 * values from it: the class of Node's own messages, which we do not send as bodies, and a default for `maxHeaderSize`,
 * which src/client/network/dispatcher.ts sets.
 */
module.exports = { IncomingMessage: undefined, maxHeaderSize: 16_384 };
