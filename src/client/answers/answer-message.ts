import { z } from '../../api/schema/schema.js';
import type { Answer } from '../exchange/exchange.js';
import { firstLine, jsonValueOf, shortened } from '../exchange/json-body.js';
import { mayShowSecret } from '../exchange/request.js';
import { bodyWithoutSent, withoutSent } from './hide-sent.js';

/** Characters of a message that are shown: enough for any sentence, not enough to flood a terminal. */
const longestMessage = 500;

const spoken = z.string().check(z.minLength(1));

// Only the body of a quota refusal is shown (reference, section 7); the others are read in their usual forms [ours].
const bodySchema = z.union([
  z.pipe(
    z.looseObject({ message: spoken }),
    z.transform(({ message }) => message),
  ),
  z.pipe(
    z.looseObject({ message: z.array(spoken).check(z.minLength(1)) }),
    z.transform(({ message }) => message.join('; ')),
  ),
  z.pipe(
    z.looseObject({ error: z.looseObject({ message: spoken }) }),
    z.transform(({ error }) => error.message),
  ),
  z.pipe(
    z.looseObject({ error: spoken }),
    z.transform(({ error }) => error),
  ),
]);

/**
 * The service's own words, for recognising known messages: the `message` of a JSON body, or else a body as text, as far
 * as a message goes. `undefined` for JSON without a message.
 */
export function statementOf({ body }: Answer): string | undefined {
  const value = jsonValueOf(body);
  if (value === undefined) return body.subarray(0, longestMessage).toString('utf8').trim();
  const message = bodySchema.safeParse(value);
  return message.success ? message.data : undefined;
}

/**
 * How an error quotes an answer: the message of its JSON body, or its status and the body's first line; without what its
 * request carried and must not be shown.
 */
export function messageOfAnswer(answer: Answer): string {
  const message = jsonValueOf(answer.body) === undefined ? undefined : statementOf(answer);
  if (message !== undefined) return shortened(withoutSent(answer, message), longestMessage);
  const line = mayShowSecret(answer.called) ? '' : firstLine(bodyWithoutSent(answer));
  const status = `the service answered ${answer.status}`;
  return line === '' ? status : `${status}: ${line}`;
}
