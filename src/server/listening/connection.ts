import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PacedReading } from './paced-reading.js';

/** What all connections share. */
export interface Load {
  /** Unanswered requests in all. */
  unanswered: number;
  /** Whether there are so many that each connection may have only one at a time. */
  readonly isHigh: boolean;
  /** Unanswered requests that one connection may have. */
  readonly pipelined: number;
  /** Lets a connection continue when it is its turn. */
  readonly queue: (connection: Connection) => void;
  /** Called when a connection sends faster than it is answered. */
  readonly overrun: (connection: Connection) => void;
}

/**
 * One connection and its unanswered requests. While they are few, Node reads it at full speed. A client that sends
 * faster than it is answered is read in small pieces; requests that Node had already read, up to 2,500 in 64 KiB, wait
 * until few are before them.
 */
export class Connection {
  readonly socket: Socket;
  /** By `performance.now()`. */
  readonly openedAt = performance.now();
  readonly #load: Load;
  #reading: PacedReading | undefined;
  /** Begins what waits, in its order. */
  #waiting: (() => void)[] = [];
  #unanswered = 0;
  #isUsed = false;
  #willPace = false;
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

  /** Whether it has had a request. */
  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Whether it sends requests faster than they are answered. */
  get isAhead(): boolean {
    return this.#waiting.length > 0 || (this.#hasRest && this.#unanswered > 0);
  }

  /** Takes a request: it begins now, or when those before it are answered. */
  take(response: ServerResponse, begin: () => void): void {
    const mayBegin = this.#waiting.length === 0 && this.#mayBegin();
    this.#isUsed = true;
    this.#unanswered += 1;
    this.#load.unanswered += 1;
    this.#last = response;
    response.on('close', this.#answered);
    if (!mayBegin || this.#load.isHigh) this.#paceSoon();
    if (mayBegin) begin();
    else this.#waiting.push(begin);
  }

  /** From now on it is read in small pieces. */
  pace(): void {
    if (this.#reading !== undefined || this.socket.destroyed) return;
    // While Node has paused its own reading, it would not begin again for anybody else.
    if (this.socket.isPaused()) return void this.#paceLater();
    this.#reading = new PacedReading(this.socket, {
      mustWait: () => this.#mustWait(),
      isWithinBody: () => this.#isWithinBody(),
      onMore: () => this.#load.queue(this),
    });
  }

  #paceLater(): void {
    if (this.#willPace) return;
    this.#willPace = true;
    this.socket.once('resume', () => {
      this.#willPace = false;
      this.pace();
    });
  }

  /** Starts waiting requests, if possible by now; returns whether it did. */
  goOn(): boolean {
    // If it has to wait, one of its own answers is still due, and will let it continue.
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
