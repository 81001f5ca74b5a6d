/**
 * Whether a request target can go on the request line byte for byte: origin form (RFC 9112, section 3.2.1), so it
 * starts with one slash and has no spaces, control or non-ASCII characters and no fragment.
 */
export function isOriginForm(target: string): boolean {
  return /^\/(?!\/)[\x21\x22\x24-\x7e]*$/.test(target);
}
