/** A plain word, or one in single quotes, as the server writes it for a POSIX shell. */
const word = /(?:[\w@%+=:,./-]+|'[^'\p{Cc}]*'(?:\\''[^'\p{Cc}]*')*)/u;
const linkCommand = new RegExp(`^orgctl local console(?: --(?:data|proxy) ${word.source})?$`, 'u');

/**
 * The command for a new link, as the server says it. Another program at the same port by now might say another one,
 * which must not be offered for pasting.
 */
export function readLinkCommand(said: unknown): string | undefined {
  return typeof said === 'string' && linkCommand.test(said) ? said : undefined;
}
