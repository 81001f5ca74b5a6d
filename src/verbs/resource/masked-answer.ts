import { isResource, type Resource } from '../../api/resources/resource.js';
import { redactedJson } from '../../redaction/redact-json.js';
import { parseJson, printJson } from '../../text/exact-json.js';

/**
 * Masks everything that is not known to be harmless: in requests that are only shown, and in the answer to the creation of
 * a key whose secret was stored, since a service has any name for it.
 */
export function maskedAnswer(value: unknown): unknown {
  return parseJson(redactedJson(printJson(value)));
}

/** Masks the possible secrets in a connection's settings, which a service may echo. Other fields stay as they are. */
export function withMaskedSettings(answer: Resource): Resource {
  return isResource(answer['config'])
    ? { ...answer, ...Object(maskedAnswer({ config: answer['config'] })) }
    : answer;
}
