const masked = '********';
const secretHeader = /^(authorization|proxy-authorization|cookie|set-cookie|x-api-signature)$/i;
const secretField = /password|secret|token|signature|authorization|credential|private/i;

/** A header's value as a trace may show it: of a credential only that it was there. */
export function redactedHeader(name: string, value: string): string {
  if (!secretHeader.test(name)) return value;
  const scheme = /^(basic|bearer) /i.exec(value)?.[0] ?? '';
  return `${scheme}${masked}`;
}

/** A JSON value with everything masked that a field's name gives away as secret. */
export function redactedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretField.test(name) ? masked : redactedValue(field),
    ]),
  );
}
