/**
 * Replaces `node:assert` for undici, because a peer can make undici's assertions fail, for example with a status below
 * 100. To describe a failed assertion, Node would parse the whole source file, which takes seconds for a bundle.
 */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (value) return;
  throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};
