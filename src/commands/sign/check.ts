import type { Context } from '../../cli/context.js';
import { ServiceError } from '../../errors/errors.js';
import { canonicalString, verifySignature } from '../../signing/hmac/signature.js';
import { isInMilliseconds } from '../../signing/hmac/timestamp.js';
import { explainMismatch } from '../../signing/mistakes/explain-mismatch.js';
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
  const printer = await context.printer();
  // A timestamp in milliseconds is wrong even if signed correctly.
  if (!isInMilliseconds(request.timestamp) && verifySignature(secret, signed, signature))
    return printer.prose({ matches: true }, 'the signature matches\n');
  const { mistake, corrections, reason } = explainMismatch({ secret, request: signed, signature });
  const value = { matches: false, mistake, corrections };
  await printer.prose(value, canonicalSection('Expected', canonicalString(signed)));
  const unknown = {
    hint: 'compare the string above with what your client signed; known mistakes',
    next: ['orgctl', 'help', 'signing'],
  };
  const advice = mistake === undefined ? unknown : { hint: mistake.advice };
  throw new ServiceError('unauthenticated', `no match: ${reason}`, advice);
}
