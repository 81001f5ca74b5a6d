import type { ServerResponse } from 'node:http';

/** Bytes of a body's first part that may wait with the head. */
const shortBody = 16_384;

/** The response to the client. A short body goes out with its head in one write; a slow service still delays no head. */
export class ClientResponse {
  readonly #response: ServerResponse;
  /** Whether head and first part wait for the end of this turn of the event loop. */
  #isHeld = false;
  #first: Buffer | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** @throws Node's error for a head that is not valid */
  begin(status: number, reason: string, headers: string[]): void {
    this.#response.sendDate = false;
    this.#response.writeHead(status, reason, headers);
    this.#isHeld = true;
    setImmediate(() => this.#release());
  }

  /** @param resume called when the client takes more, if it does not at once @returns whether it does */
  write(chunk: Buffer, resume: () => void): boolean {
    if (this.#isHeld && this.#first === undefined && chunk.length <= shortBody) {
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
