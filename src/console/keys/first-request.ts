import { quoteForShell } from '../ui/shell.js';

export const languages = ['curl', 'Node', 'Python'] as const;

export interface FirstRequest {
  readonly url: string;
  /** PEM file of the authority to trust. */
  readonly caFile: string | undefined;
  readonly keyId: string;
  readonly secret: string;
}

/** Lines for a POSIX shell that ask for the quotas: curl by mode A, the others signing as mode B does (reference, section 5). */
export function linesFor(language: (typeof languages)[number], request: FirstRequest): string {
  const lines = { curl, Node: node, Python: python }[language](request);
  return `export ORGCTL_SECRET=${quoteForShell(request.secret)}\n${lines}`;
}

/** Arguments can be read by every user of a machine: the secret is in a here-document. */
function curl({ url, caFile, keyId }: FirstRequest): string {
  const trust = caFile === undefined ? '' : ` --cacert ${quoteForShell(caFile)}`;
  return `curl${trust} --config - ${quoteForShell(`${url}/quotas`)} <<END
user = "${keyId}:$ORGCTL_SECRET"
END`;
}

function node({ url, caFile, keyId }: FirstRequest): string {
  const trust = caFile === undefined ? '' : `NODE_EXTRA_CA_CERTS=${quoteForShell(caFile)} `;
  return `${trust}node --input-type=module <<'END'
import { createHmac } from 'node:crypto';
const timestamp = String(Math.floor(Date.now() / 1000));
const canonical = ['GET', '/quotas', timestamp, '', ''].join('\\n');
const answer = await fetch('${url}/quotas', {
  headers: {
    'X-API-Key': '${keyId}',
    'X-API-Timestamp': timestamp,
    'X-API-Signature': createHmac('sha256', process.env.ORGCTL_SECRET).update(canonical).digest('hex'),
  },
});
console.log(answer.status, await answer.text());
END`;
}

function python({ url, caFile, keyId }: FirstRequest): string {
  const trust =
    caFile === undefined ? '' : `, context=ssl.create_default_context(cafile=${JSON.stringify(caFile)})`;
  return `python3 - <<'END'
import hashlib, hmac, os, ssl, time, urllib.request
timestamp = str(int(time.time()))
canonical = "\\n".join(["GET", "/quotas", timestamp, "", ""])
signature = hmac.new(os.environ["ORGCTL_SECRET"].encode(), canonical.encode(), hashlib.sha256).hexdigest()
request = urllib.request.Request("${url}/quotas", headers={
    "X-API-Key": "${keyId}", "X-API-Timestamp": timestamp, "X-API-Signature": signature})
answer = urllib.request.urlopen(request${trust})
print(answer.status, answer.read().decode())
END`;
}
