import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { sayError } from '../session/notices.js';

/** A component whose code loads when it is first shown. */
export function loadLazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function Lazy(props: Props) {
    const loaded = useSignal<{ readonly Shown: ComponentType<Props> } | undefined>(undefined);
    useEffect(() => {
      load().then(
        (Shown) => {
          loaded.value = { Shown };
        },
        () => sayError('This part of the page did not load. Reload the page.'),
      );
    }, []);
    const { Shown } = loaded.value ?? {};
    return Shown === undefined ? <p class="waiting" aria-hidden="true" /> : <Shown {...props} />;
  };
}
