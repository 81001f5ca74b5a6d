import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PacedReading } from './paced-reading.js';

export interface Load {
  unanswered: number;
  readonly isHigh: boolean;
  readonly pipelined: number;
  readonly queue: (connection: ClientConnection) => void;
  readonly overrun: (connection: ClientConnection) => void;
}

/** Once its client sends too fast, reads only small pieces. Requests that Node has already parsed wait. */
export class ClientConnection {
  readonly socket: Socket;
  readonly openedAt = performance.now();
  readonly #load: Load;
  #reading: PacedReading | undefined;
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

  get isIdle(): boolean {
    return this.#unanswered === 0 && !this.#hasRest;
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  get isAhead(): boolean {
    return this.#waiting.length > 0 || (this.#hasRest && this.#unanswered > 0);
  }

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

  pace(): void {
    if (this.#reading !== undefined || this.socket.destroyed) return;
    // Only Node can resume reading that Node itself has paused.
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

  goOn(): boolean {
    // If no request may begin yet, the end of a response in progress queues this connection again.
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

  #mayBegin(): boolean {
    const begun = this.#unanswered - this.#waiting.length;
    return begun === 0 || (begun < this.#load.pipelined && !this.#load.isHigh);
  }

  #mustWait(): boolean {
    if (this.#unanswered === 0) return false;
    if (this.#unanswered >= this.#load.pipelined || this.socket.writableNeedDrain) return true;
    return this.#load.isHigh && !this.#isWithinBody();
  }

  #isWithinBody(): boolean {
    return this.#last !== undefined && !this.#last.req.complete;
  }

  #countAnswer(): void {
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
