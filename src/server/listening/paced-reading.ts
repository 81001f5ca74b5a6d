import type { Socket } from 'node:net';

/** Bytes that the parser is given at least: the shortest requests are not much shorter than half of it. */
const leastBytes = 64;

const endOfHead = '\r\n\r\n';

export interface Pace {
  /** Whether no further request may be read now. */
  readonly mustWait: () => boolean;
  /** Whether what is read next belongs to the request before. */
  readonly isWithinBody: () => boolean;
  /** Told that there is more to read, which may have to wait. */
  readonly onMore: () => void;
}

/**
 * Stands between a socket and Node's parser, which would parse all that it gets at once, and gives it a piece after the
 * other. While there is a rest the socket is paused. It takes about a tenth of the time of a request.
 */
export class PacedReading {
  readonly #socket: Socket;
  readonly #pace: Pace;
  readonly #parse: (bytes: Buffer) => void;
  #rest: Buffer | undefined;
  /** Whether Node has paused the socket: its parser must not be given anything until it resumes the socket itself. */
  #parserWaits: boolean;

  constructor(socket: Socket, pace: Pace) {
    // What listens to the data of a connection is its parser.
    const [parse] = socket.listeners('data');
    if (parse === undefined) throw new Error('the HTTP parser does not listen to the data of its connection');
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

  /** Whether something was read that is not parsed. */
  get hasRest(): boolean {
    return this.#rest !== undefined;
  }

  /** Reads on, if it may by now; answers whether it does. */
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

  /** Has one piece parsed, and what belongs to the same request; the next one has to wait for its turn. */
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

/** Where the first piece ends that is given to the parser: after a head, so that it holds few requests. */
function endOfPiece(bytes: Buffer): number {
  if (bytes.length <= leastBytes) return bytes.length;
  const end = bytes.indexOf(endOfHead, leastBytes - endOfHead.length, 'latin1');
  return end === -1 ? bytes.length : end + endOfHead.length;
}
