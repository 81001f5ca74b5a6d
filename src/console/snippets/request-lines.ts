import { hereDocument, quoteForShell } from '../ui/shell.js';

export interface Call {
  readonly method: string;
  /** Path and query, in ASCII. */
  readonly target: string;
  /** JSON text; empty without a body. */
  readonly body: string;
}

export interface Origin {
  readonly url: string;
  /** PEM file of the CA to trust. */
  readonly caFile: string | undefined;
  readonly keyId: string;
  /** The local profile with the key and its secret. */
  readonly profile: string | undefined;
}

/** POSIX shell lines. The body, which may contain a password, is in a here-document: every user can read arguments. */
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

/** Bash computes the HMAC (RFC 2104): `openssl dgst -hmac` takes the secret as an argument, which every user can read. */
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

/** HMAC-SHA256 of stdin in hexadecimal, for secrets of 64 characters; also runs in bash 3.2 (macOS). */
const hmac = String.raw`
# openssl dgst -hmac takes the secret as an argument, which every user can read.
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
