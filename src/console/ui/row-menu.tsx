import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface MenuAction {
  readonly text: string;
  readonly isDangerous?: boolean;
  readonly act?: () => void;
  /** The address of a view, instead of `act`. */
  readonly href?: string;
}

interface RowMenuProps {
  /** The row's name, by which screen readers tell the menus apart. */
  readonly of: string;
  readonly actions: readonly MenuAction[];
}

/** The actions of a row. Arrow keys move the focus, Enter chooses, and Escape closes and focuses the button. */
export function RowMenu({ of, actions }: RowMenuProps) {
  const isOpen = useSignal(false);
  const rootRef = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu inside
    <span
      ref={rootRef}
      class="menu"
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && rootRef.current?.contains(relatedTarget)))
          isOpen.value = false;
      }}
      onKeyDown={(event) => {
        if (isOpen.value && event.key === 'Escape') close();
        else if (!moveIn(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <button
        ref={button}
        type="button"
        class="small quiet"
        aria-label={`Actions for ${of}`}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown') isOpen.value = true;
        }}
      >
        ⋯
      </button>
      {isOpen.value && <Actions id={id} of={of} actions={actions} onClose={close} />}
    </span>
  );
}

interface ActionsProps extends RowMenuProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Actions({ id, of, actions, onClose }: ActionsProps) {
  const menuRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    menuRef.current?.scrollIntoView({ block: 'nearest' });
    menuRef.current?.querySelector<HTMLElement>(item)?.focus();
  }, []);
  return (
    <div ref={menuRef} id={id} role="menu" aria-label={`Actions for ${of}`}>
      {actions.map(({ text, isDangerous, act, href }) =>
        href === undefined ? (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={isDangerous ? 'danger' : ''}
            onClick={() => {
              // Focuses the button first, so that a dialog returns the focus to it.
              onClose();
              act?.();
            }}
          >
            {text}
          </button>
        ) : (
          <a key={text} role="menuitem" tabIndex={-1} class="button" href={href}>
            {text}
          </a>
        ),
      )}
    </div>
  );
}

const item = '[role="menuitem"]';

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** @returns whether the key moved the focus */
function moveIn({ key, target }: KeyboardEvent): boolean {
  const step = steps[key];
  if (step === undefined || !(target instanceof HTMLElement) || !target.matches(item)) return false;
  const all = [...(target.parentElement?.querySelectorAll<HTMLElement>(item) ?? [])];
  all[step(all.indexOf(target), all.length)]?.focus();
  return true;
}
