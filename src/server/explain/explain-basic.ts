import { secretLength } from '../../contract/resources/api-key.js';

/** Why an `Authorization` header is not in the form of mode A (reference, section 5); nothing of it is repeated. */
export function explainBasicFormat(header: string): string {
  const [, scheme = '', encoded] = /^([^\s]*)(?: (.*))?$/s.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return 'the scheme of the Authorization header is not Basic';
  if (encoded === undefined || encoded === '') return 'nothing comes after Basic in the Authorization header';
  const decoded = Buffer.from(encoded, 'base64');
  if (decoded.toString('base64') !== encoded) {
    return 'what comes after Basic is not base64 with its padding, on one line';
  }
  return decoded.includes(':')
    ? 'the decoded credentials are not UTF-8'
    : 'the decoded credentials have no colon between key ID and secret';
}

/** What is wrong with a secret as far as its shape shows it; nothing of it is repeated. */
export function explainWrongSecret(secret: string): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with white space, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret has quotes round it';
  if (secret.length !== secretLength) {
    return `the secret has ${secret.length} characters, and secrets have ${secretLength}`;
  }
  return "the secret is another one than the key's";
}
