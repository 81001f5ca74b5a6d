const fixedDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Milliseconds since the epoch of an HTTP date in any of its three forms (RFC 9110, section 5.6.7); `undefined` for
 * anything else, a header that is absent or came twice included. `Date.parse` alone takes `-5` for the year 2001.
 */
export function parseHttpDate(header: string | string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = asctimeDate.test(header) ? `${header} GMT` : header;
  if (text === header && !fixedDate.test(header) && !rfc850Date.test(header)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
