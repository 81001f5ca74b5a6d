import { UsageError } from '../../errors.js';

/**
 * IDs from the command line, each once. Any text can be one and is percent-encoded on its way, except what would lead
 * to another path: nothing at all, `.` and `..`, which clients and proxies resolve (RFC 3986, section 5.2.4).
 *
 * @throws UsageError naming the one that cannot be an ID
 */
export function parseIdentifiers(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map(parseIdentifier))];
}

/** One ID. @throws UsageError when the text cannot be one */
export function parseIdentifier(id: string): string {
  if (id !== '' && id !== '.' && id !== '..' && !/\p{Surrogate}/u.test(id)) return id;
  throw new UsageError(`${JSON.stringify(id)} cannot be an ID`, {
    hint: 'the list shows the IDs; is a variable of the script empty?',
  });
}
