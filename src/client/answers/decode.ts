import { check, type z } from '../../api/schema/schema.js';
import { ServiceError } from '../../errors/errors.js';
import { option } from '../../errors/server-option.js';
import type { Answer } from '../exchange/exchange.js';
import { firstLine, readJson } from '../exchange/json-body.js';
import { changedBy, isChanging } from '../exchange/request.js';
import { bodyWithoutSent } from './hide-sent.js';

/**
 * Decodes an answer with its schema.
 *
 * @throws ServiceError `server` when the body is not JSON, or not of the shape in the reference
 */
export function decode<Schema extends z.ZodMiniType>(answer: Answer, schema: Schema): z.infer<Schema> {
  const json = readJson(answer.body);
  if ('fault' in json) throw unreadable(answer, json.fault);
  const checked = check(schema, json.value);
  if ('misfit' in checked) throw unexpected(answer, `not of the expected shape: ${checked.misfit}`);
  return checked.data;
}

/**
 * The value of an answer of unknown shape; undefined when it is not JSON.
 * @throws ServiceError `server` when there is too little memory to parse it
 */
export function decodeAny(answer: Answer): unknown {
  const json = readJson(answer.body);
  if ('value' in json) return json.value;
  if (json.isBeyondMemory) throw unreadable(answer, json.fault);
  return undefined;
}

function unreadable(answer: Answer, fault: string): ServiceError {
  // What a change returns may hold what was sent, or a secret that is not shown again.
  return unexpected(answer, `${fault}${isChanging(answer.called) ? '' : quoted(bodyWithoutSent(answer))}`);
}

/** A 2xx answer that is not what the reference describes; a change was made all the same. */
function unexpected(answer: Answer, what: string): ServiceError {
  const { called, status } = answer;
  return new ServiceError(
    'server',
    `${called.method} ${called.target} was answered with ${status} and a body that is ${what}`,
    {
      status,
      method: called.method,
      path: called.target,
      retryable: false,
      answer,
      ...(isChanging(called)
        ? {
            hint: 'the status says that it was carried out; look before you repeat it',
            see: changedBy(called),
          }
        : {
            hint: `check that ${option('baseUrl')} is the address of the service, including its base path`,
            see: { what: 'settings' },
          }),
    },
  );
}

function quoted(body: Buffer): string {
  const line = firstLine(body);
  return line === '' ? '' : `: ${JSON.stringify(line)}`;
}
