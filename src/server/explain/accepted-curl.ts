import { signatureHeader } from '../../signing/hmac/signature.js';
import { curlCommand } from '../../terminal/text/curl-command.js';

export interface ShownRequest {
  readonly method: string;
  readonly target: string;
  readonly keyId: string | undefined;
  readonly timestamp: string;
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
  readonly isBasic: boolean;
}

export interface Destination {
  readonly url: string;
  readonly caFile?: string | undefined;
}

/** A curl command that works once its placeholders are replaced: SIGNATURE, CREDENTIALS, KEY_ID or @BODY. */
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
