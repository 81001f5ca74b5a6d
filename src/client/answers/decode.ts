import { checkValue, type z } from '../../api/schema/schema.js';
import { type Advice, probeCommand, unknownFormHint, whoamiCommand } from '../../errors/advice.js';
import { ServiceError } from '../../errors/errors.js';
import type { Answer } from '../exchange/exchange.js';
import { readJson } from '../exchange/json-body.js';
import { isChanging } from '../exchange/request.js';
import { firstLine } from './hide-sent.js';

/** @throws ServiceError `server` if the body cannot be parsed as JSON, or does not fit the schema */
export function decode<S extends z.ZodMiniType>(answer: Answer, schema: S, most?: number): z.infer<S> {
  const checked = checkValue(schema, decodeJson(answer, most));
  if ('misfit' in checked) throw unexpectedAnswer(answer, `is not of the expected form: ${checked.misfit}`);
  return checked.data;
}

/** @throws ServiceError `server` if the body cannot be parsed as JSON */
export function decodeJson(answer: Answer, most?: number): unknown {
  const json = readJson(answer.body, most);
  if ('fault' in json) throw unreadable(answer, json.fault);
  return json.value;
}

/** The error for a 2xx response of unknown form. Shows no values. @param wanted such as `a list of objects` */
export async function formError(answer: Answer, value: unknown, wanted: string): Promise<ServiceError> {
  // Rarely needed, so loaded on demand.
  const { outline } = await import('../reading/outline.js');
  return unexpectedAnswer(answer, `is not of the expected form: ${outline(value)}; looked for ${wanted}`);
}

function unreadable(answer: Answer, fault: string): ServiceError {
  const coding = answer.headers['content-encoding'];
  if (coding !== undefined)
    return unexpectedAnswer(answer, `cannot be decoded from ${JSON.stringify(coding)}`);
  // The response to a change may contain sent data, or a secret shown only once.
  const line = isChanging(answer.called) ? '' : firstLine(answer);
  return unexpectedAnswer(answer, `is ${fault}${line === '' ? '' : `: ${JSON.stringify(line)}`}`);
}

/** The error for a 2xx response with an unexpected body. @param what such as `reports a failure` */
export function unexpectedAnswer(answer: Answer, what: string): ServiceError {
  return misfitError(answer, `returned ${answer.status} with a body that ${what}`);
}

/** The error for a 2xx response that does not fit the request. @param what such as `returned 206` */
export function misfitError(answer: Answer, what: string): ServiceError {
  const { called, status } = answer;
  const { method, target: path } = called;
  const details = { status, method, path, retryable: false, answer, ...adviceFor(answer) };
  return new ServiceError('server', `${method} ${path} ${what}`, details);
}

function adviceFor(answer: Answer): Advice {
  if (isChanging(answer.called)) {
    return { hint: 'it may or may not have been carried out; check before you repeat it' };
  }
  if (isPage(answer)) {
    return {
      hint: 'check that the base URL is the address of the service, including its base path',
      next: whoamiCommand,
    };
  }
  return { hint: unknownFormHint, next: probeCommand };
}

/** Whether a response looks like a web page, or like XML. */
export function isPage({ headers, body }: Answer): boolean {
  const start = body.subarray(0, 256).toString('latin1').trimStart();
  return (
    /^<(?:!doctype|html|head|body|\?xml)/i.test(start) ||
    (/^text\/html\b/i.test(String(headers['content-type'])) && start.startsWith('<'))
  );
}
