import type { ServerResponse } from 'node:http';
import type { HeldBytes } from './held-bytes.js';
import { HttpError } from './http-error.js';
import { speedOf, type UnprovenRequest, type UnprovenRequests } from './unproven-requests.js';

/** A body as received, or the fact that it was too large. */
export type ReceivedBody = Buffer | 'too large';

/** Bytes of the largest body that the server takes [ours]. */
export const maxBodyBytes = 1024 * 1024;

/**
 * How many bytes of a body that is refused are read and discarded: a client that is still writing when its connection is
 * closed never reads the answer.
 */
export const drainedBytes = 8 * maxBodyBytes;

/** Larger bodies are counted until their requests are answered; the number of requests bounds smaller ones. */
const largeBytes = 16 * 1024;

export interface ReadingOptions {
  readonly held: HeldBytes;
  /** Where the request is registered until it is read or proven; absent when it already is. */
  readonly unproven?: UnprovenRequests | undefined;
}

/** The reading of one body, from its start to its end or to its refusal. */
export class BodyReading implements UnprovenRequest {
  /** Rejected with an HttpError when the body does not come whole. */
  readonly body: Promise<ReceivedBody>;
  readonly #response: ServerResponse;
  readonly #options: ReadingOptions;
  readonly #since = performance.now();
  #chunks: Buffer[] = [];
  #length = 0;
  #taken = 0;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #resolve: (body: ReceivedBody) => void = () => undefined;
  #reject: (error: HttpError) => void = () => undefined;

  constructor(response: ServerResponse, options: ReadingOptions) {
    const { req: request } = response;
    this.#response = response;
    this.#options = options;
    this.body = new Promise<ReceivedBody>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whether anybody waits for it is known later.
    this.body.catch(() => undefined);
    options.unproven?.add(request.socket, this);
    request.on('data', this.#take);
    request.once('end', () => this.#end());
    request.once('error', () => this.#refuse(cutOff));
    request.once('close', () => {
      // `close` also follows each complete body.
      if (!request.complete) this.#refuse(cutOff);
    });
  }

  get heldBytes(): number {
    return this.#taken;
  }

  get speed(): number {
    return speedOf(this.#length, this.#since);
  }

  /** The request is proven to come from the holder of a key: it no longer gives way. */
  prove(): void {
    this.#options.unproven?.delete(this.#response.req.socket, this);
  }

  /** Gives up if it takes longer than this, in milliseconds. */
  giveUpAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => this.giveWay(), milliseconds).unref();
  }

  giveWay(): void {
    this.#refuse(gaveWay);
  }

  readonly #take = (chunk: Buffer): void => {
    this.#length += chunk.length;
    if (this.#length > drainedBytes) return void this.#finish('too large');
    if (this.#length > maxBodyBytes) return;
    if (!this.#options.held.take(chunk.length)) return void this.#refuse(tooManyBodies);
    // It may have been this one that had to make room.
    if (this.#isOver) return void this.#options.held.giveBack(chunk.length);
    this.#taken += chunk.length;
    this.#chunks.push(chunk);
  };

  #end(): void {
    if (this.#length > maxBodyBytes) return void this.#finish('too large');
    const taken = this.#taken;
    this.#finish(Buffer.concat(this.#chunks, this.#length));
    // The body stays in memory as long as its request, like everything made of it.
    if (taken > largeBytes) this.#options.held.insistFor(this.#response, taken);
  }

  #finish(body: ReceivedBody): void {
    if (this.#isOver) return;
    this.#release();
    this.#resolve(body);
  }

  #refuse(reason: () => HttpError): void {
    if (this.#isOver) return;
    this.#release();
    this.#reject(reason());
  }

  #release(): void {
    const { req: request } = this.#response;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.prove();
    this.#options.held.giveBack(this.#taken);
    this.#taken = 0;
    this.#chunks = [];
    // What may still come is not kept; `discardRest` reads it, if it has to be read.
    request.off('data', this.#take);
    if (!request.complete) request.pause();
  }
}

function tooManyBodies(): HttpError {
  return new HttpError(503, 'Service Unavailable', { check: 'body', headers: { connection: 'close' } });
}

/** Nothing was done, so that it can be sent again. */
function gaveWay(): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'body',
    explain: () => ({
      reason: 'its body came more slowly than others while there was no room for more requests',
    }),
    headers: { connection: 'close', 'retry-after': '1' },
  });
}

/** The client is gone; this is for the log. */
function cutOff(): HttpError {
  return new HttpError(400, 'The connection broke within the body', { check: 'body' });
}
