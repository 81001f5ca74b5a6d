import { hereDocument, quoteForShell } from '../ui/shell.js';

export interface Call {
  readonly method: string;
  /** Path and query, in ASCII. */
  readonly target: string;
  /** JSON text; empty for none. */
  readonly body: string;
}

export interface Origin {
  readonly url: string;
  /** PEM file of the authority to trust. */
  readonly caFile: string | undefined;
  readonly keyId: string;
  /** The local profile with the key and its secret. */
  readonly profile: string | undefined;
}

/** POSIX shell lines. The body is a here-document: it may have a password, and every user can read arguments. */
export function orgctlLines({ method, target, body }: Call, origin: Origin): string {
  const words = ['orgctl request', method, quoteWord(target), ...listSettings(origin)];
  return body === '' ? words.join(' ') : hereDocument([...words, '--data -'].join(' '), body);
}

function listSettings({ url, caFile, keyId, profile }: Origin): string[] {
  if (profile !== undefined) return [`--profile ${quoteWord(profile)}`];
  const trust = caFile === undefined ? [] : [`--ca-file ${quoteWord(caFile)}`];
  return [`--base-url ${quoteWord(url)}`, ...trust, `--key-id ${quoteWord(keyId)}`];
}

function quoteWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : quoteForShell(text);
}

/** Bash computes the HMAC (RFC 2104): neither secret nor body may be an argument, as with `openssl dgst`. */
export function signedCurlLines(call: Call, { url, caFile, keyId }: Origin): string {
  const { method, body } = call;
  const { origin, pathname } = new URL(url);
  const target = pathname.replace(/\/$/, '') + call.target;
  const hasBody = body !== '';
  const type = hasBody ? 'application/json' : '';
  const options = [
    `curl --silent --show-error --include --write-out '\\n' --globoff --path-as-is --request ${method}`,
    ...(caFile === undefined ? [] : [`--cacert ${quoteForShell(caFile)}`]),
    `--header ${quoteForShell(`X-API-Key: ${keyId}`)}`,
    '--header "X-API-Timestamp: $timestamp"',
    '--header "X-API-Signature: $signature"',
    ...(hasBody ? [`--header 'Content-Type: ${type}'`, '--data-binary @-'] : []),
    `${quoteForShell(origin)}"$target"`,
  ].join(' \\\n  ');
  const lines = [
    'set -euo pipefail',
    `: "\${ORGCTL_SECRET:?set it to the secret of ${keyId}}"`,
    `target=${quoteForShell(target)}`,
    `body=${quoteForShell(body)}`,
    hmac,
    'timestamp=$(date +%s)',
    String.raw`signature=$(printf '${method}\n%s\n%s\n${type}\n%s' "$target" "$timestamp" "$body" | hmac)`,
    hasBody ? `printf %s "$body" | ${options}` : options,
  ];
  return hereDocument('bash', lines.join('\n'));
}

/** HMAC-SHA256 of standard input in hexadecimal, for 64-character secrets; also for bash 3.2 of macOS. */
const hmac = String.raw`
# As an argument of openssl, every user of the machine could read the secret.
hmac() {
  local key inner='' outer='' at
  key=$(printf %s "$ORGCTL_SECRET" | od -An -v -tx1 | tr -d ' \n')
  for ((at = 0; at < 128; at += 2)); do
    printf -v inner '%s\\x%02x' "$inner" $((0x${'$'}{key:at:2} ^ 0x36))
    printf -v outer '%s\\x%02x' "$outer" $((0x${'$'}{key:at:2} ^ 0x5c))
  done
  { printf %b "$inner"; cat; } | openssl dgst -sha256 -binary |
    { printf %b "$outer"; cat; } | openssl dgst -sha256 -r | cut -c 1-64
}
`;
