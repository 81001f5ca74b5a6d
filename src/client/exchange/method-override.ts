/** Headers from which some services read the method, instead of from the request line. */
const overriding: ReadonlySet<string> = new Set([
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

/** The first header that may turn a request into a change. Services behind CGI treat `_` like `-`. */
export function findMethodOverride(headerNames: readonly string[]): string | undefined {
  return headerNames.find((name) => overriding.has(name.toLowerCase().replaceAll('_', '-')));
}
