import type { IncomingMessage, ServerResponse } from 'node:http';

/** Passes half of a body's first part, then no more. A body that is empty ends as usual. */
export function passHalf(
  received: IncomingMessage,
  response: ServerResponse,
  note: (chunk: Buffer) => void,
  onCut: () => void,
): void {
  received.once('data', (chunk: Buffer) => {
    onCut();
    received.pause();
    const half = chunk.subarray(0, Math.floor(chunk.length / 2));
    note(half);
    response.write(half, () => response.destroy());
  });
}
