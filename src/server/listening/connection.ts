import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PacedReading } from './paced-reading.js';

/** What all connections share. */
export interface Load {
  /** Unanswered requests in all. */
  unanswered: number;
  /** Whether there are so many that each connection has one at a time. */
  readonly isHigh: boolean;
  /** Unanswered requests that one connection may have. */
  readonly pipelined: number;
  /** Has a connection continue when it is its turn. */
  readonly queue: (connection: Connection) => void;
  /** Told that a connection sends more than is answered. */
  readonly overrun: (connection: Connection) => void;
}

/**
 * One connection and its unanswered requests. As long as they are few Node reads it, at its full speed. A client that
 * sends more than is answered is read a piece after the other; of what Node had read by then, which can be 2,500 requests
 * in 64 KiB, each one waits until few are before it.
 */
export class Connection {
  readonly socket: Socket;
  readonly #load: Load;
  #reading: PacedReading | undefined;
  /** Begins what waits, in its order. */
  #waiting: (() => void)[] = [];
  #unanswered = 0;
  #last: ServerResponse | undefined;
  readonly #answered = () => this.#countAnswer();

  constructor(socket: Socket, load: Load) {
    this.socket = socket;
    this.#load = load;
    socket.once('close', () => this.#forget());
  }

  /** Whether it has no request, as far as the server has read. */
  get isIdle(): boolean {
    return this.#unanswered === 0 && !this.#hasRest;
  }

  /** Whether it sends more requests than are answered. */
  get isAhead(): boolean {
    return this.#waiting.length > 0 || (this.#hasRest && this.#unanswered > 0);
  }

  /** Takes a request: it begins now, or when those before it are answered. */
  take(response: ServerResponse, begin: () => void): void {
    const mayBegin = this.#waiting.length === 0 && this.#mayBegin();
    this.#unanswered += 1;
    this.#load.unanswered += 1;
    this.#last = response;
    response.on('close', this.#answered);
    if (!mayBegin || this.#load.isHigh) this.#paceSoon();
    if (mayBegin) begin();
    else this.#waiting.push(begin);
  }

  /** From now on what it sends is read a piece after the other. */
  pace(): void {
    if (this.#reading !== undefined || this.socket.destroyed) return;
    this.#reading = new PacedReading(this.socket, {
      mustWait: () => this.#mustWait(),
      isWithinBody: () => this.#isWithinBody(),
      onMore: () => this.#load.queue(this),
    });
  }

  /** Goes on with what waits, if it may by now; answers whether it does. */
  goOn(): boolean {
    // When it has to wait, one of its own answers is still due, and will have it continue.
    const begin = this.#mayBegin() ? this.#waiting.shift() : undefined;
    if (begin === undefined) return this.#waiting.length === 0 && this.#reading?.goOn() === true;
    begin();
    if (this.#waiting.length > 0) this.#load.queue(this);
    return true;
  }

  get #hasRest(): boolean {
    return this.#reading?.hasRest === true;
  }

  #paceSoon(): void {
    if (this.#reading === undefined) this.#load.overrun(this);
  }

  /** Whether another request may begin. */
  #mayBegin(): boolean {
    const begun = this.#unanswered - this.#waiting.length;
    return begun === 0 || (begun < this.#load.pipelined && !this.#load.isHigh);
  }

  #mustWait(): boolean {
    if (this.#unanswered === 0) return false;
    if (this.#unanswered >= this.#load.pipelined || this.socket.writableNeedDrain) return true;
    // The rest of a body is not another request.
    return this.#load.isHigh && !this.#isWithinBody();
  }

  #isWithinBody(): boolean {
    return this.#last !== undefined && !this.#last.req.complete;
  }

  #countAnswer(): void {
    // The requests of a closed connection are no longer counted.
    if (this.#unanswered === 0) return;
    this.#unanswered -= 1;
    this.#load.unanswered -= 1;
    if (this.#unanswered === 0) this.#last = undefined;
    if (this.#waiting.length > 0 || this.#hasRest) this.#load.queue(this);
  }

  #forget(): void {
    this.#load.unanswered -= this.#unanswered;
    this.#unanswered = 0;
    this.#waiting = [];
  }
}
