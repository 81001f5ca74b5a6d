import type { ServerResponse } from 'node:http';

/** Maximum bytes of a first chunk that is sent together with the headers. */
const longestHeldChunk = 16_384;

/** The response to the client. The headers wait for a first chunk only until the end of this turn of the event loop. */
export class ClientResponse {
  readonly #response: ServerResponse;
  /** Whether the headers are waiting. */
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
