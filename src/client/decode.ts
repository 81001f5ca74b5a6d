import { describeIssues, type z } from '../contract/schema.js';
import { advise, ServiceError } from '../errors.js';
import type { Answer } from './exchange.js';
import { firstLine, readJson } from './json-body.js';
import { isChanging, lookingCommand, whoami } from './request.js';

/**
 * Reads an answer through its schema.
 *
 * @throws ServiceError `server` when the body is not JSON or not of the shape that the reference describes
 */
export function decode<Schema extends z.ZodMiniType>(answer: Answer, schema: Schema): z.infer<Schema> {
  const json = readJson(answer.body);
  if ('fault' in json) throw unreadable(answer, json.fault);
  const parsed = schema.safeParse(json.value);
  if (!parsed.success) throw unexpected(answer, `of another shape: ${describeIssues(parsed.error)}`);
  return parsed.data;
}

/**
 * The value of an answer whose shape nobody knows; undefined when it is not JSON.
 * @throws ServiceError `server` when there is not memory enough to tell
 */
export function decodeAny(answer: Answer): unknown {
  const json = readJson(answer.body);
  if ('value' in json) return json.value;
  if (json.isBeyondMemory) throw unreadable(answer, json.fault);
  return undefined;
}

function unreadable(answer: Answer, fault: string): ServiceError {
  return unexpected(answer, `${fault}${quoted(answer.body)}`);
}

/** An answer of status 2xx that is not what the reference describes; a changing request was carried out all the same. */
function unexpected(answer: Answer, what: string): ServiceError {
  const { called, status } = answer;
  return new ServiceError(
    'server',
    `${called.method} ${called.target} was answered ${status} with a body that is ${what}`,
    {
      status,
      method: called.method,
      path: called.target,
      retryable: false,
      ...(isChanging(called)
        ? advise(
            lookingCommand(called),
            (command) => `by its status it was carried out; look before you repeat it: ${command}`,
          )
        : advise(
            whoami,
            (command) =>
              `check that --base-url is the address of the service, its base path included: ${command}`,
          )),
    },
  );
}

function quoted(body: Buffer): string {
  const line = firstLine(body);
  return line === '' ? '' : `: ${JSON.stringify(line)}`;
}
