/** A word as the server writes it for a POSIX shell: plain or in single quotes. */
const word = /(?:[\w@%+=:,./-]+|'[^'\p{Cc}]*'(?:\\''[^'\p{Cc}]*')*)/u;
const linkCommand = new RegExp(`^orgctl local console(?: --(?:data|proxy) ${word.source})?$`, 'u');

/**
 * Returns `said` only if it is the command for a new link: another program may now listen on the port, and its text
 * must not be offered for pasting.
 */
export function readLinkCommand(said: unknown): string | undefined {
  return typeof said === 'string' && linkCommand.test(said) ? said : undefined;
}
