const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** The page runs only its own code, and no other site can frame or read it. */
const consoleHeaders = [
  ...['Content-Security-Policy', policy.join('; ')],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** Completes the headers of every response of the console. */
export function addSafeHeaders(headers: string[]): void {
  headers.push(...consoleHeaders);
  if (!headers.includes('Cache-Control')) headers.push('Cache-Control', 'no-store');
}
