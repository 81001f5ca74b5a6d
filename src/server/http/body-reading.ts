import type { ServerResponse } from 'node:http';
import type { ByteBudget } from './byte-budget.js';
import { HttpError } from './http-error.js';
import { measureSpeed, type UnprovenRequest, type UnprovenRequests } from './unproven-requests.js';

export type ReceivedBody = Buffer | 'too large';

export const maxBodyBytes = 1024 * 1024;

/** Maximum bytes of a refused body to discard: many clients read the response only after writing the whole body. */
export const drainedBytes = 8 * maxBodyBytes;

/** Bytes; larger bodies count against the budget until their requests are answered. */
const largeBytes = 16 * 1024;

export interface ReadingOptions {
  readonly held: ByteBudget;
  readonly unproven?: UnprovenRequests | undefined;
}

export class BodyReading implements UnprovenRequest {
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
    this.body.catch(() => undefined);
    options.unproven?.add(request.socket, this);
    request.on('data', this.#take);
    request.once('end', () => this.#end());
    request.once('error', () => this.#refuse(cutOff));
    request.once('close', () => {
      if (!request.complete) this.#refuse(cutOff);
    });
  }

  get heldBytes(): number {
    return this.#taken;
  }

  get speed(): number {
    return measureSpeed(this.#length, this.#since);
  }

  /** Protects the request from eviction, once it is authenticated. */
  prove(): void {
    this.#options.unproven?.delete(this.#response.req.socket, this);
  }

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
    // Making room may have evicted this request.
    if (this.#isOver) return void this.#options.held.giveBack(chunk.length);
    this.#taken += chunk.length;
    this.#chunks.push(chunk);
  };

  #end(): void {
    if (this.#length > maxBodyBytes) return void this.#finish('too large');
    const taken = this.#taken;
    this.#finish(Buffer.concat(this.#chunks, this.#length));
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
    request.off('data', this.#take);
    if (!request.complete) request.pause();
  }
}

function tooManyBodies(): HttpError {
  return new HttpError(503, 'Service Unavailable', { check: 'body', headers: { connection: 'close' } });
}

/** Nothing was done, so the request can be repeated. */
function gaveWay(): HttpError {
  return new HttpError(503, 'Service Unavailable', {
    check: 'body',
    explain: () => ({
      reason: 'its body arrived more slowly than others while the server had no room for more requests',
    }),
    headers: { connection: 'close', 'retry-after': '1' },
  });
}

function cutOff(): HttpError {
  return new HttpError(400, 'The connection was lost before the body was complete', { check: 'body' });
}
