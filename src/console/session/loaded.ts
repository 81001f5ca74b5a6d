import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ControlError } from './control.js';

/** Data from the server. The old value stays during a reload, so that nothing jumps. */
export interface Loaded<Value> {
  /** `undefined` until the first successful load. */
  readonly value: ReadonlySignal<Value | undefined>;
  readonly error: ReadonlySignal<ControlError | undefined>;
  reload(): Promise<void>;
}

/** Reloads when a value of `of` changes or the page becomes visible, and then every `every` ms. */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  of: readonly unknown[],
  every?: number,
): Loaded<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<ControlError | undefined>(undefined);
  const last = useRef(0);
  const reload = async () => {
    last.current += 1;
    const asked = last.current;
    try {
      const loaded = await load();
      if (asked !== last.current) return;
      value.value = loaded;
      error.value = undefined;
    } catch (reason) {
      if (asked !== last.current) return;
      error.value = reason instanceof ControlError ? reason : new ControlError(0, String(reason));
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
