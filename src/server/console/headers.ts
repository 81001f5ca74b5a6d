import type { onSendHookHandler } from 'fastify';

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

/** What a browser is told about every answer: nothing from elsewhere runs in the page, and nobody elsewhere holds or reads it. */
const headers = {
  'content-security-policy': policy.join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** The hook that adds them; what does not say how it may be kept is not. */
export const safeHeaders: onSendHookHandler = (_request, reply, _payload, done) => {
  reply.headers(headers);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  done();
};
