import { Dispatcher } from 'undici';
import { UsageError } from '../../errors/errors.js';

/** The part of undici's `Dispatcher` (version 7 or later) that the client uses. */
export interface OwnDispatcher {
  /** Sends a request, as undici does. */
  dispatch(options: never, handler: never): boolean;
}

export interface BorrowOptions {
  readonly caFile: string | undefined;
  /** Called instead of closing the dispatcher: only its owner may close it. */
  readonly onClose: () => void;
}

/** @throws UsageError for a CA file, which the dispatcher would ignore */
export function borrowDispatcher(dispatcher: OwnDispatcher, options: BorrowOptions): Dispatcher;
export function borrowDispatcher(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  { caFile, onClose }: BorrowOptions,
): Dispatcher {
  if (caFile !== undefined) {
    throw new UsageError('createClient: `caFile` and `dispatcher` cannot be combined', {
      hint: 'give the CA to the dispatcher: new Agent({ connect: { ca } })',
    });
  }
  return new BorrowedDispatcher(dispatcher, onClose);
}

class BorrowedDispatcher extends Dispatcher {
  readonly #owned: Pick<Dispatcher, 'dispatch'>;
  readonly #onClose: () => void;

  constructor(owned: Pick<Dispatcher, 'dispatch'>, onClose: () => void) {
    super();
    this.#owned = owned;
    this.#onClose = onClose;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#owned.dispatch(options, handler);
  }

  override destroy(): Promise<void> {
    this.#onClose();
    return Promise.resolve();
  }
}
