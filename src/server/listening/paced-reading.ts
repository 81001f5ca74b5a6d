import type { Socket } from 'node:net';

/** Bytes; a few of the shortest requests fit. */
const leastBytes = 64;

const endOfHead = '\r\n\r\n';

export interface Pace {
  readonly mustWait: () => boolean;
  readonly isWithinBody: () => boolean;
  readonly onMore: () => void;
}

/** Feeds Node's parser in pieces, because Node would parse at once everything that it has read. */
export class PacedReading {
  readonly #socket: Socket;
  readonly #pace: Pace;
  readonly #parse: (bytes: Buffer) => void;
  #rest: Buffer | undefined;
  /** Whether Node has paused the socket: its parser must get nothing until it resumes. */
  #parserWaits: boolean;

  constructor(socket: Socket, pace: Pace) {
    const [parse] = socket.listeners('data');
    if (parse === undefined) throw new Error('no HTTP parser listens to the connection');
    this.#socket = socket;
    this.#pace = pace;
    this.#parse = parse.bind(socket);
    this.#parserWaits = socket.isPaused();
    socket.removeAllListeners('data');
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('resume', () => this.#feed());
    socket.on('drain', () => this.#pace.onMore());
    socket.once('close', () => {
      this.#rest = undefined;
    });
  }

  get hasRest(): boolean {
    return this.#rest !== undefined;
  }

  goOn(): boolean {
    if (this.#rest === undefined || this.#socket.destroyed || this.#pace.mustWait()) return false;
    if (this.#parserWaits && this.#socket.isPaused()) return false;
    this.#socket.resume();
    return true;
  }

  #read(bytes: Buffer): void {
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#feed();
  }

  #feed(): void {
    while (this.#rest !== undefined && !this.#socket.destroyed && !this.#socket.isPaused()) {
      if (this.#pace.mustWait()) return void this.#socket.pause();
      this.#parsePiece(this.#rest);
      this.#parserWaits = this.#socket.isPaused();
      if (this.#rest === undefined || this.#parserWaits || this.#pace.isWithinBody()) continue;
      this.#socket.pause();
      this.#pace.onMore();
    }
  }

  #parsePiece(bytes: Buffer): void {
    const end = endOfPiece(bytes);
    const isAll = end === bytes.length;
    this.#rest = isAll ? undefined : bytes.subarray(end);
    this.#parse(isAll ? bytes : bytes.subarray(0, end));
  }
}

/** The first end of headers at or beyond `leastBytes`, so that a piece contains few requests. */
function endOfPiece(bytes: Buffer): number {
  if (bytes.length <= leastBytes) return bytes.length;
  const end = bytes.indexOf(endOfHead, leastBytes - endOfHead.length, 'latin1');
  return end === -1 ? bytes.length : end + endOfHead.length;
}
