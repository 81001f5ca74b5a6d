import { useId } from 'preact/hooks';
import type { PlainField } from '../../api/resources/plain-kinds.js';
import { FormField, readText } from '../ui/form.js';

interface PlainInputProps {
  readonly field: PlainField;
  readonly label: string;
  readonly value: unknown;
}

/** Input for a field of a plain resource: one line for text, several for a list or JSON. */
export function PlainInput({ field, label, value }: PlainInputProps) {
  const { name, form: format, isOptional } = field;
  const id = useId();
  if (format === 'text') {
    return <FormField label={label} name={name} required={!isOptional} defaultValue={printField(value)} />;
  }
  const text = format === 'lines' && Array.isArray(value) ? value.join('\n') : printField(value);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={3}
        spellcheck={false}
        required={!isOptional}
        aria-describedby={`${id}-hint`}
      >
        {text}
      </textarea>
      <p class="hint" id={`${id}-hint`}>
        {format === 'lines' ? 'One per line.' : 'JSON.'}
      </p>
    </div>
  );
}

/** The form's value for a field; `undefined` if left empty. @throws Error if a JSON field has invalid JSON */
export function readField(fields: FormData, { name, form: format }: PlainField): unknown {
  const text = readText(fields, name);
  if (text === undefined || format === 'text') return text;
  if (format === 'lines') return text.split(/\r?\n/).filter((line) => line !== '');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

export function printField(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isList ? value.join(', ') : JSON.stringify(value);
}
