import type { Answer } from '../exchange/exchange.js';
import { firstLine, readJsonValue, shorten } from '../exchange/json-body.js';
import { mayShowSecret } from '../exchange/request.js';
import { readErrorTexts } from '../reading/error-texts.js';
import { knownForms } from '../reading/forms.js';
import { bodyWithoutSent, withoutSent } from './hide-sent.js';

/** Characters; enough for a sentence, without flooding a terminal. */
const longestMessage = 500;

/** The service's messages, for comparison with known ones; none for JSON without a message. */
export function readStatements({ body }: Answer, paths = knownForms.errors): readonly string[] {
  const value = readJsonValue(body);
  if (value === undefined) return [body.subarray(0, longestMessage).toString('utf8').trim()];
  if (typeof value === 'string') return [value];
  return readErrorTexts(value, paths)?.parts ?? [];
}

/** The JSON message, or the status and first line, without sent secrets. Omits the line if it may hold a new secret. */
export function describeMessage(answer: Answer, paths = knownForms.errors): string {
  const message = readErrorTexts(readJsonValue(answer.body), paths)?.text;
  if (message !== undefined) return shorten(withoutSent(answer, message), longestMessage);
  const line = mayShowSecret(answer.called) ? '' : firstLine(bodyWithoutSent(answer));
  const status = `the service returned ${answer.status}`;
  return line === '' ? status : `${status}: ${line}`;
}
