/**
 * Stands in the bundle for `node:assert` where undici asserts what a peer decides, such as a status below 100: to name a
 * failed assertion, Node parses the file it is in as JavaScript, and a bundle is so large that this takes seconds of CPU.
 */
module.exports = function assert(value, message = 'an assertion of undici failed') {
  if (value) return;
  throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};
