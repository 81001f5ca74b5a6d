import { hereDocument, quoteForShell } from '../ui/shell.js';
import type { Call, Origin } from './request-lines.js';

/** Shell lines for a Node.js program that signs and sends a call. It reads the secret from `ORGCTL_SECRET`. */
export function nodeLines({ method, target, body }: Call, { url, caFile, keyId }: Origin): string {
  const trust = caFile === undefined ? '' : `NODE_EXTRA_CA_CERTS=${quoteForShell(caFile)} `;
  const { origin, base } = splitUrl(url);
  return hereDocument(
    `${trust}node --input-type=module`,
    `import { createHmac } from 'node:crypto';
const [method, path, body] = ${JSON.stringify([method, base + target, body])};
const url = new URL(${JSON.stringify(origin)} + path);
const target = url.pathname + url.search;
const type = body === '' ? '' : 'application/json';
const timestamp = String(Math.floor(Date.now() / 1000));
const canonical = [method, target, timestamp, type, body].join('\\n');
const answer = await fetch(url, {
  method,
  headers: {
    'X-API-Key': ${JSON.stringify(keyId)},
    'X-API-Timestamp': timestamp,
    'X-API-Signature': createHmac('sha256', process.env.ORGCTL_SECRET).update(canonical).digest('hex'),
    ...(body && { 'Content-Type': type }),
  },
  ...(body && { body }),
});
console.log(answer.status, await answer.text());`,
  );
}

/** The same in Python, using only its standard library. */
export function pythonLines({ method, target, body }: Call, { url, caFile, keyId }: Origin): string {
  const { origin, base } = splitUrl(url);
  const trust =
    caFile === undefined ? '' : `, context=ssl.create_default_context(cafile=${JSON.stringify(caFile)})`;
  return hereDocument(
    'python3 -',
    `import hashlib, hmac, os, ssl, time, urllib.error, urllib.request
method, target, body = ${JSON.stringify([method, base + target, body])}
timestamp = str(int(time.time()))
content_type = "application/json" if body else ""
canonical = "\\n".join([method, target, timestamp, content_type, body])
signature = hmac.new(os.environ["ORGCTL_SECRET"].encode(), canonical.encode(), hashlib.sha256).hexdigest()
headers = {"X-API-Key": ${JSON.stringify(keyId)}, "X-API-Timestamp": timestamp, "X-API-Signature": signature}
if body:
    headers["Content-Type"] = content_type
request = urllib.request.Request(${JSON.stringify(origin)} + target, body.encode() or None, headers, method=method)
try:
    answer = urllib.request.urlopen(request${trust})
except urllib.error.HTTPError as refused:
    answer = refused
print(answer.status, answer.read().decode())`,
  );
}

function splitUrl(url: string): { readonly origin: string; readonly base: string } {
  const { origin, pathname } = new URL(url);
  return { origin, base: pathname.replace(/\/$/, '') };
}
