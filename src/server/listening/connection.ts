import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Bytes that the parser is given at least: the shortest requests are not much shorter than half of it. */
const leastBytes = 64;

const endOfHead = '\r\n\r\n';

/** What a connection has to know of all others. */
export interface Load {
  /** Unanswered requests in all. */
  unanswered: number;
  /** Whether there are so many that each connection has one at a time. */
  readonly isHigh: boolean;
  /** Unanswered requests that one connection may have. */
  readonly pipelined: number;
  /** Has a connection try again when it is its turn. */
  readonly queue: (connection: Connection) => void;
}

/**
 * One connection, as it is read: a piece after the other, as long as its requests are answered and the answers taken.
 * Node would parse all that it got at once: 64 KiB can be 2,500 requests, each of which takes two kilobytes.
 */
export class Connection {
  readonly socket: Socket;
  readonly #load: Load;
  readonly #parse: (bytes: Buffer) => void;
  /** What was read and is not parsed. */
  #rest: Buffer | undefined;
  #unanswered = 0;
  #last: ServerResponse | undefined;
  #isIdle = true;
  #parserWaits = false;
  readonly #answered = () => this.#countAnswer();

  /** @param parse takes bytes as Node's own listener does */
  constructor(socket: Socket, parse: (bytes: Buffer) => void, load: Load) {
    this.socket = socket;
    this.#parse = parse;
    this.#load = load;
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    // Node's parser resumes the socket too, when the answers were taken.
    socket.on('resume', () => this.#feed());
    socket.on('drain', () => this.tryAgain());
    socket.once('close', () => this.#forget());
  }

  /** Whether it has no request at all. */
  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Whether it sends more requests than are answered. */
  get isAhead(): boolean {
    return this.#rest !== undefined && this.#unanswered > 0;
  }

  /** Counts a request; to be called as soon as there is one. */
  count(response: ServerResponse): void {
    this.#unanswered += 1;
    this.#load.unanswered += 1;
    this.#last = response;
    response.on('close', this.#answered);
  }

  /** Reads on, if it may by now; answers whether it does. */
  tryAgain(): boolean {
    // When it must wait, one of its own answers is still to come, and has it try again.
    if (this.#rest === undefined || this.socket.destroyed || this.#mustWait()) return false;
    if (this.#parserWaits && this.socket.isPaused()) return false;
    this.socket.resume();
    return true;
  }

  #read(bytes: Buffer): void {
    this.#isIdle = false;
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#feed();
  }

  /** Has one piece parsed, and what belongs to the same request; the next one has to wait for its turn. */
  #feed(): void {
    while (this.#rest !== undefined) {
      if (this.socket.destroyed) return void this.#forget();
      if (this.socket.isPaused()) return;
      if (this.#mustWait()) return void this.socket.pause();
      this.#parsePiece(this.#rest);
      // Who paused it then was Node, whose parser must not be given anything until it resumes the socket itself.
      this.#parserWaits = this.socket.isPaused();
      if (this.#rest !== undefined && !this.#isWithinBody()) {
        if (this.#parserWaits) return;
        this.socket.pause();
        return void this.#load.queue(this);
      }
    }
  }

  #parsePiece(bytes: Buffer): void {
    const end = endOfPiece(bytes);
    const isAll = end === bytes.length;
    this.#rest = isAll ? undefined : bytes.subarray(end);
    this.#parse(isAll ? bytes : bytes.subarray(0, end));
  }

  #isWithinBody(): boolean {
    return this.#last !== undefined && !this.#last.req.complete;
  }

  #mustWait(): boolean {
    if (this.#unanswered === 0) return false;
    if (this.#unanswered >= this.#load.pipelined || this.socket.writableNeedDrain) return true;
    // The rest of a body is not another request.
    return this.#load.isHigh && !this.#isWithinBody();
  }

  #countAnswer(): void {
    // None of those of a closed connection is counted any more.
    if (this.#unanswered === 0) return;
    this.#unanswered -= 1;
    this.#load.unanswered -= 1;
    if (this.#rest !== undefined) return void this.#load.queue(this);
    if (this.#unanswered > 0) return;
    this.#isIdle = true;
    this.#last = undefined;
  }

  #forget(): void {
    this.#rest = undefined;
    this.#load.unanswered -= this.#unanswered;
    this.#unanswered = 0;
  }
}

/** Where the first piece ends that is given to the parser: after a head, so that it holds few requests. */
function endOfPiece(bytes: Buffer): number {
  if (bytes.length <= leastBytes) return bytes.length;
  const end = bytes.indexOf(endOfHead, leastBytes - endOfHead.length, 'latin1');
  return end === -1 ? bytes.length : end + endOfHead.length;
}
