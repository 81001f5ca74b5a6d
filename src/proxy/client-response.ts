import type { ServerResponse } from 'node:http';

/** Bytes of the largest first chunk that is held back with the headers. */
const longestHeldChunk = 16_384;

/** The response to the client. Sends headers and a short body in one write; a slow body never delays the headers. */
export class ClientResponse {
  readonly #response: ServerResponse;
  /** Whether headers and first chunk wait for the end of this turn of the event loop. */
  #isHeld = false;
  #first: Buffer | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** @throws Node's error for an invalid status, reason or header */
  begin(status: number, reason: string, headers: string[]): void {
    this.#response.sendDate = false;
    this.#response.writeHead(status, reason, headers);
    this.#isHeld = true;
    setImmediate(() => this.#release());
  }

  /** @param resume called on drain @returns false if the caller must wait for that call */
  write(chunk: Buffer, resume: () => void): boolean {
    if (this.#isHeld && this.#first === undefined && chunk.length <= longestHeldChunk) {
      this.#first = chunk;
      return true;
    }
    this.#release();
    if (this.#response.write(chunk)) return true;
    this.#response.once('drain', resume);
    return false;
  }

  end(trailers: [name: string, value: string][]): void {
    if (trailers.length > 0) this.#response.addTrailers(trailers);
    this.#isHeld = false;
    this.#response.end(this.#first);
  }

  #release(): void {
    const response = this.#response;
    if (!this.#isHeld || response.writableEnded || response.destroyed) return;
    this.#isHeld = false;
    if (this.#first === undefined) response.flushHeaders();
    else response.write(this.#first);
    this.#first = undefined;
  }
}
