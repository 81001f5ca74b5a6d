import type { ServerResponse } from 'node:http';

/** HTTP/1.0 clients would take an interim response for the final one (RFC 9110, section 15.2). */
function takesInterim({ req }: ServerResponse): boolean {
  return req.httpVersion !== '1.0';
}

export function sendContinue(response: ServerResponse): void {
  if (takesInterim(response)) response.writeContinue();
}

export function sendEarlyHints(response: ServerResponse, link: string | string[]): void {
  if (!takesInterim(response)) return;
  try {
    response.writeEarlyHints({ link });
  } catch {
    // Node refuses many valid links, but only the final response matters.
  }
}
