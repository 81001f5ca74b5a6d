import { nodeLines, pythonLines } from '../snippets/program-lines.js';
import { quoteForShell } from '../ui/shell.js';

export const languages = ['curl', 'Node', 'Python'] as const;

export interface FirstRequest {
  readonly url: string;
  /** PEM file of the CA to trust. */
  readonly caFile: string | undefined;
  readonly keyId: string;
  readonly secret: string;
}

/** POSIX shell lines that read the quotas: curl uses Basic, the other languages HMAC. */
export function linesFor(language: (typeof languages)[number], request: FirstRequest): string {
  const call = { method: 'GET', target: '/quotas', body: '' };
  const origin = { ...request, profile: undefined };
  const lines = {
    curl: () => curl(request),
    Node: () => nodeLines(call, origin),
    Python: () => pythonLines(call, origin),
  }[language]();
  return `export ORGCTL_SECRET=${quoteForShell(request.secret)}\n${lines}`;
}

/** The secret is in a here-document, because every user of the machine can read a command's arguments. */
function curl({ url, caFile, keyId }: FirstRequest): string {
  const trust = caFile === undefined ? '' : ` --cacert ${quoteForShell(caFile)}`;
  return `curl${trust} --config - ${quoteForShell(`${url}/quotas`)} <<END
user = "${keyId}:$ORGCTL_SECRET"
END`;
}
