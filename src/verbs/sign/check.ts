import type { Context } from '../../cli/context.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { canonicalString, verifySignature } from '../../signing/hmac/signature.js';
import { isInMilliseconds } from '../../signing/hmac/timestamp.js';
import type { ExplainableRequest } from '../../signing/mistakes/attempt/signing-attempt.js';
import { explainMismatch, type MismatchExplanation } from '../../signing/mistakes/explain-mismatch.js';
import { canonicalSection } from './explanation.js';
import type { RequestToSign } from './request-to-sign.js';
import { signableBelow } from './signed-request.js';

/** Never shows the right signature. @throws ServiceError `unauthenticated` for a wrong one, naming a known mistake */
export async function checkSignature(
  signature: string,
  request: RequestToSign,
  context: Pick<Context, 'settings' | 'printer'>,
): Promise<void> {
  const settings = context.settings();
  const { keyId, secret } = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signed = { ...signableBelow(base?.prefix, request), origin: base?.origin, keyId };
  const mismatch = findMismatch(secret, signed, signature);
  const { mistake, corrections } = mismatch ?? {};
  const value = { matches: mismatch === undefined, mistake, corrections };
  const printer = await context.printer();
  if (mismatch === undefined) return printer.prose(value, 'the signature matches\n');
  await printer.prose(value, canonicalSection('Expected', canonicalString(signed)));
  throw new ServiceError('unauthenticated', `no match: ${mismatch.reason}`, {
    ...(mismatch.mistake === undefined
      ? {
          hint: 'compare the string above with what your client signed; known mistakes',
          next: ['orgctl', 'help', 'signing'],
        }
      : { hint: mismatch.mistake.advice }),
  });
}

function findMismatch(
  secret: string,
  request: ExplainableRequest,
  signature: string,
): MismatchExplanation | undefined {
  // A timestamp in milliseconds is wrong even if signed correctly.
  const inSeconds = !isInMilliseconds(request.timestamp);
  if (inSeconds && verifySignature(secret, request, signature)) return undefined;
  return explainMismatch({ secret, request, signature });
}

/** @throws UsageError for a flag that has no meaning with --check, or a missing timestamp */
export function assertCheckable(flags: {
  readonly timestamp?: string | undefined;
  readonly format?: string | undefined;
}): void {
  if (flags.format !== undefined) {
    throw new UsageError('--check and --format cannot be combined', { hint: 'for data: -o json' });
  }
  if (flags.timestamp === undefined) {
    throw new UsageError('--check needs the signed timestamp', {
      hint: 'the value of X-API-Timestamp: --timestamp 1700000000',
    });
  }
}
