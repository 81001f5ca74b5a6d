/**
 * Replaces `node:assert` for undici, in which a peer can make assertions fail, as with a status below 100. To describe
 * a failed assertion, Node parses its whole source file, which takes seconds for a bundle.
 */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (value) return;
  throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};
