import { signatureHeader } from '../../signing/index.js';
import { curlCommand } from '../../terminal/text/curl-command.js';

/** What a curl command needs of a request. What may not be shown is masked or absent. */
export interface ShownRequest {
  readonly method: string;
  readonly target: string;
  readonly keyId: string | undefined;
  /** Unix time in seconds. */
  readonly timestamp: string;
  readonly contentType: string | undefined;
  /** Absent where only the client has it. */
  readonly body: Buffer | undefined;
  readonly isBasic: boolean;
}

/** Where requests go, and which CA they need to trust. */
export interface Destination {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/**
 * The curl command with which a request is accepted, once the placeholders are replaced: `SIGNATURE` and `CREDENTIALS`
 * (base64 of key ID, colon and secret), which no log may have, `KEY_ID` where no key is known, and `@BODY`, a file.
 */
export function acceptedCurl(request: ShownRequest, { url, caFile }: Destination): string {
  const { method, target, contentType, body } = request;
  const hasBody = body === undefined || body.length > 0;
  return curlCommand({
    method: method.toUpperCase(),
    url: `${url}${target}`,
    caFile,
    headers: [
      ...(request.isBasic ? [] : signatureHeaders(request)),
      ...(hasBody ? [['Content-Type', contentType ?? 'application/json'] as const] : []),
    ],
    secretHeaders: request.isBasic ? [['Authorization', 'Basic CREDENTIALS']] : [],
    body: body ?? { file: 'BODY' },
  });
}

function signatureHeaders({ keyId = 'KEY_ID', timestamp }: ShownRequest) {
  return [
    [signatureHeader.key, keyId] as const,
    [signatureHeader.timestamp, timestamp] as const,
    [signatureHeader.signature, 'SIGNATURE'] as const,
  ];
}
