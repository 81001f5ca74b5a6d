import { isResource, type Resource, withFields } from '../../api/resources/resource.js';
import { redactedJson } from '../../redaction/redact-json.js';
import { parseJson, printJson } from '../../text/exact-json.js';

/** Masks all but harmless fields: a service may give a secret any name. */
export function maskedAnswer(value: unknown): unknown {
  return parseJson(redactedJson(printJson(value)));
}

/** Masks possible secrets in a connection's settings, which a service may echo. */
export function withMaskedSettings(answer: Resource): Resource {
  return isResource(answer['config'])
    ? withFields(answer, Object(maskedAnswer({ config: answer['config'] })))
    : answer;
}
