import { ExactNumber } from './exact-number.js';

const masked = '********';
const secretName = /pass|pwd|secret|token|signature|authori[sz]ation|credential|private|cookie/i;

/** A header's value as a trace may show it: of a credential only that it was there. */
export function redactedHeader(name: string, value: string): string {
  if (!secretName.test(name)) return redactedText(value);
  const scheme = /^(basic|bearer) /i.exec(value)?.[0] ?? '';
  return `${scheme}${masked}`;
}

/** A request target with the values of secret query parameters masked. */
export function redactedTarget(target: string): string {
  return target.replace(/(?<=[?&])([^=&]*)=[^&]*/g, (parameter, name: string) =>
    secretName.test(name) ? `${name}=${masked}` : parameter,
  );
}

/** A JSON value with everything masked that a field's name gives away as secret, and the passwords of URLs. */
export function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return redactedText(value);
  if (Array.isArray(value)) return value.map(redactedValue);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretName.test(name) ? masked : redactedValue(field),
    ]),
  );
}

// postgres://user:password@host; whoever writes the password unencoded may have any character in it. Bounded: the text may be hostile.
function redactedText(text: string): string {
  return text.replace(/(:\/\/[^\s/:@]*:)\S{1,512}@/g, `$1${masked}@`);
}

/** A text in which no given secret occurs any more. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, masked)), text);
}
