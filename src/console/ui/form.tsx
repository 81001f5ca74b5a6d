import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

interface FormProps {
  readonly send: string;
  readonly isDangerous?: boolean;
  readonly isReady?: boolean;
  /** Puts the button beside the first field. */
  readonly isInline?: boolean;
  readonly onCancel?: (() => void) | undefined;
  /** The form shows the message of a thrown error. */
  readonly onSend: (fields: FormData) => Promise<void>;
  readonly children: ComponentChildren;
}

/** Submits on Enter or a click, and then ignores both until `onSend` has finished. */
export function Form(props: FormProps) {
  const { send, isDangerous = false, isReady = true, isInline = false, onCancel, onSend, children } = props;
  const refused = useSignal<string | undefined>(undefined);
  const isSending = useSignal(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSending.value || !(event.currentTarget instanceof HTMLFormElement)) return;
    isSending.value = true;
    try {
      await onSend(new FormData(event.currentTarget));
      refused.value = undefined;
    } catch (error) {
      refused.value = error instanceof Error ? error.message : String(error);
    } finally {
      isSending.value = false;
    }
  };
  return (
    <form class={isInline ? 'inline' : ''} onSubmit={submit} autocomplete="off">
      {children}
      <p class="refused" role="alert">
        {refused.value}
      </p>
      <div class="buttons">
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button
          type="submit"
          class={isDangerous ? 'danger' : 'primary'}
          disabled={!isReady}
          aria-disabled={isSending.value}
        >
          {send}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly name: string;
  readonly type?: 'text' | 'password';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly inputMode?: 'numeric';
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly autocomplete?: 'new-password';
  /** The ID of a `datalist`. */
  readonly list?: string;
  /** The initial value, which the user can change; `value` sets the current one. */
  readonly defaultValue?: string;
  readonly value?: string;
  readonly onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

export function FormField({ label, hint, type = 'text', list, ...input }: FieldProps) {
  const id = useId();
  // Password inputs do not support `list`.
  const kind = type === 'password' ? { type } : { type, list };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...kind}
        {...input}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function readText(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
