import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from './api.js';

/** Data from the server. The old value stays during a reload, so that nothing jumps. */
export interface LoadedState<Value> {
  /** `undefined` until the first successful load. */
  readonly value: ReadonlySignal<Value | undefined>;
  readonly error: ReadonlySignal<ApiError | undefined>;
  reload(): Promise<void>;
}

/** Reloads when a value of `of` changes or the page becomes visible, and every `every` ms while the page is visible. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  of: readonly unknown[],
  every?: number,
): LoadedState<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<ApiError | undefined>(undefined);
  const last = useRef(0);
  const reload = async () => {
    last.current += 1;
    const asked = last.current;
    const isLast = () => asked === last.current;
    try {
      const answer = await load();
      if (!isLast()) return;
      value.value = answer;
      error.value = undefined;
    } catch (reason) {
      if (isLast()) error.value = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
    }
  };
  useEffect(() => {
    void reload();
    const again = () => void (document.hidden || reload());
    const timer = every === undefined ? undefined : setInterval(again, every);
    document.addEventListener('visibilitychange', again);
    return () => {
      last.current += 1;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, of);
  return { value, error, reload };
}
