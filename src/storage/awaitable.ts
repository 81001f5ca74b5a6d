/** A value that is there or will be: what is in memory is answered at once, what has to be read later. */
export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Goes on with a value, at once when it is there. `await` would have each request wait for its turn again and again for
 * what is in memory already.
 */
export function andThen<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
