import { checkValue, type z } from '../../api/schema/schema.js';
import { type Advice, probeCommand, unknownFormHint, whoamiCommand } from '../../errors/advice.js';
import { type ErrorDetails, ServiceError } from '../../errors/errors.js';
import { withoutSecrets } from '../../redaction/redact.js';
import { quotedForms } from '../../redaction/sent-secrets.js';
import { type Answer, readJson, shorten } from '../exchange/exchange.js';
import { checkFirst, isChanging } from '../exchange/request.js';

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
  const { method, target } = answer.called;
  const details = { ...describeAnswer(answer), retryable: false, ...adviceFor(answer) };
  return new ServiceError('server', `${method} ${target} ${what}`, details);
}

export function describeAnswer(answer: Answer): ErrorDetails {
  const { status, called } = answer;
  return { status, method: called.method, path: called.target, answer };
}

function adviceFor(answer: Answer): Advice {
  if (isChanging(answer.called)) return checkFirst;
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

// Not a property of the response, because logging the response would show the secrets.
const sent = new WeakMap<Answer, () => readonly string[]>();

/** Remembers the secrets of the request, which are listed only when a text quotes the response. */
export function rememberSent(answer: Answer, secrets: () => readonly string[]): void {
  sent.set(answer, secrets);
}

/** Hides sent secrets that a service may echo. Call it before shortening the text: it does not find a cut secret. */
export function withoutSent(answer: Answer, text: string): string {
  const forms = new Set((sent.get(answer)?.() ?? []).flatMap(quotedForms));
  // Longest first, because a shorter form may be part of a longer one.
  return withoutSecrets(
    text,
    [...forms].sort((one, other) => other.length - one.length),
  );
}

/** The first line of the body, without sent secrets. */
export function firstLine(answer: Answer): string {
  const text = withoutSent(answer, answer.body.toString('utf8')).slice(0, 1024);
  return shorten(text.trim().replace(/\r?\n.*/s, ''), 120);
}
