import type { JournalDetailAnswer, StatusAnswer } from '../../api/control/control-answers.js';
import { quoteIfNeeded } from '../../text/shell-quote.js';

type CommandTarget = Pick<StatusAnswer, 'url' | 'caFile' | 'keyId' | 'profile'>;

/**
 * The request as `orgctl request`, for a POSIX shell. A body comes from stdin: it may contain a password, and all users
 * can read arguments. `undefined` if the journal lacks the body, or if a proxy knows no key.
 */
export function writeCommand(of: JournalDetailAnswer, server: CommandTarget) {
  const { method, target, body, bodyBytes = 0, refusal } = of;
  const keyId = refusal?.check === 'key' ? server.keyId : (of.keyId ?? server.keyId);
  if (keyId === '' || (bodyBytes > 0 && body === undefined)) return undefined;
  const { url, caFile } = server;
  const base = new URL(url).pathname.replace(/\/$/, '');
  const path = target.startsWith(base) ? target.slice(base.length) : target;
  const profile = keyId === server.keyId ? server.profile : undefined;
  const ca = caFile === undefined ? [] : ['--ca-file', caFile];
  const from = profile ? ['--profile', profile] : ['--base-url', url, ...ca, '--key-id', keyId];
  const words = ['orgctl', 'request', method.toUpperCase(), path, ...from];
  const command = words.map(quoteIfNeeded).join(' ');
  return {
    command: body === undefined ? command : hereDocument(`${command} --data -`, printBody(body)),
    needs: profile ? `Uses profile ${profile}.` : `Needs ORGCTL_SECRET, the secret of ${keyId}.`,
  };
}

/** A body as the journal has it: JSON, or a description of other data. */
export function printBody(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

/** A command with a here-document, which the shell does not expand. */
function hereDocument(command: string, lines: string): string {
  let end = 'END';
  while (lines.split('\n').includes(end)) end += '_';
  return `${command} <<'${end}'\n${lines}\n${end}`;
}
