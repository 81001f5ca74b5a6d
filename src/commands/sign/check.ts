import type { Context } from '../../cli/context.js';
import { ServiceError } from '../../errors/errors.js';
import { canonicalString, verifySignature } from '../../signing/hmac/signature.js';
import { isInMilliseconds } from '../../signing/hmac/timestamp.js';
import { explainMismatch, type MismatchExplanation } from '../../signing/mistakes/explain-mismatch.js';
import type { ExplainableRequest } from '../../signing/mistakes/signed.js';
import { canonicalSection } from './explanation.js';
import { type RequestToSign, signableBelow } from './signed-call.js';

/** Never shows the right signature. @throws ServiceError `unauthenticated` for a wrong one, naming a known mistake */
export async function checkSignature(
  signature: string,
  request: RequestToSign,
  context: Context,
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
