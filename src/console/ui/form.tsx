import type {
  ComponentChildren,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

interface ButtonProps {
  readonly text: string;
  /** For screen readers: what the button acts on, such as the name of a row. */
  readonly of?: string;
  readonly kind?: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => unknown;
}

export function Button({ text, of, kind, isDisabled = false, onClick }: ButtonProps) {
  const label = of && `${text.replace('…', '')} ${of}`;
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => void onClick()}
    >
      {text}
    </button>
  );
}

interface FormProps {
  readonly send: string;
  readonly isDangerous?: boolean;
  /** Puts the button beside the fields. */
  readonly isInline?: boolean;
  readonly onCancel?: () => void;
  /** The form shows the message of a thrown error. */
  readonly onSend: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** Ignores submissions until `onSend` has finished. */
export function Form(props: FormProps) {
  const { send, isDangerous = false, isInline = false, onCancel, onSend, children } = props;
  const [refused, setRefused] = useState<string | undefined>(undefined);
  const isSending = useRef(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending.current || !(form instanceof HTMLFormElement)) return;
    isSending.current = true;
    try {
      await onSend(new FormData(form), form);
      setRefused(undefined);
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
    }
    isSending.current = false;
  };
  return (
    <form class={isInline ? 'inline' : ''} onSubmit={submit} autocomplete="off">
      {children}
      <p class="refused" role="alert">
        {refused}
      </p>
      <div class="row">
        {onCancel && <Button text="Cancel" onClick={onCancel} />}
        <button type="submit" class={isDangerous ? 'danger' : 'primary'}>
          {send}
        </button>
      </div>
    </form>
  );
}

interface Labeled {
  readonly label: string;
  readonly hint?: ComponentChildren;
}

export function Field({ label, hint, ...input }: Labeled & InputHTMLAttributes) {
  return (
    <Control label={label} hint={hint}>
      {(ids) => <input spellcheck={false} {...ids} {...input} />}
    </Control>
  );
}

export function Area({ label, hint, ...area }: Labeled & TextareaHTMLAttributes & { readonly text: string }) {
  const { text, ...others } = area;
  const rows = Math.min(Math.max(text.split('\n').length, 3), 12);
  return (
    <Control label={label} hint={hint}>
      {(ids) => <textarea rows={rows} spellcheck={false} defaultValue={text} {...ids} {...others} />}
    </Control>
  );
}

interface Options {
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function Choice({ label, options, ...select }: Labeled & Options & SelectHTMLAttributes) {
  return (
    <Control label={label}>
      {(ids) => (
        <select {...ids} {...select}>
          {options.map(([value, text]) => (
            <option key={value} value={value} selected={value === select.defaultValue}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Control>
  );
}

interface ControlProps extends Labeled {
  readonly children: (ids: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}

function Control({ label, hint, children }: ControlProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(hint && { 'aria-describedby': `${id}-hint` }) })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** `undefined` if the field is empty or absent. */
export function readText(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function readJson(fields: FormData, name: string, label: string): unknown {
  try {
    return JSON.parse(readText(fields, name) ?? '');
  } catch (error) {
    throw new Error(`${label}: not valid JSON. ${error instanceof Error ? error.message : error}`);
  }
}
