import type {
  ComponentChildren,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { readMessage, say } from './notices.js';

/** @returns `act`, which ignores further calls while one is running */
function useOnce<Arguments extends unknown[]>(act: (...given: Arguments) => unknown) {
  const isRunning = useRef(false);
  return async (...given: Arguments): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    try {
      await act(...given);
    } finally {
      isRunning.current = false;
    }
  };
}

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
  const click = useOnce(() => onClick());
  return (
    <button type="button" class={kind} aria-label={label} disabled={isDisabled} onClick={click}>
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

export function Form(props: FormProps) {
  const { send, isDangerous = false, isInline = false, onCancel, onSend, children } = props;
  const [refused, setRefused] = useState('');
  const submit = useOnce(async (form: HTMLFormElement) => {
    try {
      await onSend(new FormData(form), form);
      setRefused('');
    } catch (error) {
      setRefused(readMessage(error));
    }
  });
  return (
    <form
      class={isInline ? 'inline' : ''}
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
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
    throw new Error(`${label}: not valid JSON. ${readMessage(error)}`);
  }
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Focuses the first control of its form, and restores the focus when removed. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const dialog = dialogRef.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('form :is(input, select, textarea, button)')?.focus();
    // Browsers restore the focus when a dialog closes, but not when it is removed.
    return () => {
      const active = document.activeElement;
      const isLost = active === null || active === document.body || dialog?.contains(active) === true;
      if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialogRef} aria-labelledby={id} onClose={onClose}>
      <header class="row">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" text="Close" onClick={() => dialogRef.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

type DialogFormProps = Omit<DialogProps & FormProps, 'onSend' | 'onCancel' | 'isInline'> & {
  /** @returns what to say when it is done */
  readonly onSend: (fields: FormData) => Promise<string>;
};

/** In a dangerous form without fields, the focus is on Cancel, so that Enter destroys nothing. */
export function DialogForm({ title, onClose, onSend, ...form }: DialogFormProps) {
  const send = async (fields: FormData) => {
    const done = await onSend(fields);
    onClose();
    say(done);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} onSend={send} />
    </Dialog>
  );
}
