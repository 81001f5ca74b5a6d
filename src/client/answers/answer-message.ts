import type { Answer } from '../exchange/exchange.js';
import { firstLine, jsonValueOf, shortened } from '../exchange/json-body.js';
import { mayShowSecret } from '../exchange/request.js';
import { readErrorTexts } from '../reading/error-texts.js';
import { knownForms } from '../reading/forms.js';
import { bodyWithoutSent, withoutSent } from './hide-sent.js';

/** Characters of a message that are shown: enough for any sentence, not enough to flood a terminal. */
const longestMessage = 500;

/**
 * The service's own words, for recognising known messages: the texts of a JSON body, or else a body as text, as far as a
 * message goes. None for JSON without a message.
 */
export function statementsOf({ body }: Answer, paths = knownForms.errors): readonly string[] {
  const value = jsonValueOf(body);
  if (value === undefined) return [body.subarray(0, longestMessage).toString('utf8').trim()];
  if (typeof value === 'string') return [value];
  return readErrorTexts(value, paths)?.parts ?? [];
}

/**
 * How an error quotes an answer: the message of its JSON body, or its status and the body's first line; without what its
 * request carried and must not be shown.
 */
export function messageOfAnswer(answer: Answer, paths = knownForms.errors): string {
  const message = readErrorTexts(jsonValueOf(answer.body), paths)?.text;
  if (message !== undefined) return shortened(withoutSent(answer, message), longestMessage);
  const line = mayShowSecret(answer.called) ? '' : firstLine(bodyWithoutSent(answer));
  const status = `the service answered ${answer.status}`;
  return line === '' ? status : `${status}: ${line}`;
}
