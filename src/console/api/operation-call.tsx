import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { sentMethods } from '../../api/control/calls.js';
import { SendButton } from '../requests/send-button.js';
import type { ApiDocument, DocumentOperation } from '../session/api-document.js';
import { type LoadedState, useLoaded } from '../session/loaded.js';
import { Copies } from '../snippets/copies.js';
import type { Origin } from '../snippets/request-lines.js';
import { FormField } from '../ui/form.js';
import { exampleId, examplesOfBody, fillTarget, idToCall, type NamedExample } from './call-example.js';

export interface CallOrigin extends Origin {
  readonly organization: string | undefined;
}

interface OperationCallProps {
  readonly operation: DocumentOperation;
  readonly document: ApiDocument;
  readonly origin: CallOrigin;
}

/** A call with editable values: the server signs and sends it, or the user copies it as code. */
export function OperationCall({ operation, document, origin }: OperationCallProps) {
  const { method, parameters, requestBody } = operation;
  const examples = examplesOfBody(operation, document);
  const typed = useSignal<Readonly<Record<string, string>>>({});
  const body = useSignal(examples[0] ?? '');
  const { organization, keyId } = origin;
  const known = useLoaded(
    async () => (await idToCall(operation, keyId, organization)) ?? 'none',
    [organization, keyId],
  );
  const found = known.value.value;
  const filled = (name: string): string =>
    typed.value[name] ??
    (name === 'id'
      ? ((found === 'none' ? undefined : found?.id) ?? exampleId(operation, document))
      : String(parameters.find((one) => one.name === name)?.schema.default ?? ''));
  const call = { method, target: fillTarget(operation, filled), body: body.value };
  return (
    <section class="call" aria-label="The call">
      <h4>The call</h4>
      {parameters.map(({ name, in: place }) => (
        <FormField
          key={name}
          label={name}
          name={name}
          value={filled(name)}
          hint={place === 'path' && typed.value[name] === undefined ? describeExample(known) : undefined}
          onInput={({ currentTarget }) => {
            typed.value = { ...typed.value, [name]: currentTarget.value };
          }}
        />
      ))}
      {requestBody && (
        <BodyField
          text={body.value}
          examples={examples}
          onInput={(text) => {
            body.value = text;
          }}
        />
      )}
      <SendButton
        label={`Send ${method}`}
        isDangerous={method === 'DELETE'}
        request={() => ({
          method: sentMethods.find((one) => one === method),
          target: new URL(origin.url).pathname.replace(/\/$/, '') + call.target,
          keyId,
          ...(requestBody && { body: body.value }),
        })}
      />
      <Copies call={call} origin={origin} />
    </section>
  );
}

/** The resource that the suggested ID belongs to. */
function describeExample({ value, error }: LoadedState<NamedExample | 'none'>): string {
  const found = value.value;
  if (found === 'none') return 'Example ID. There is no resource to try this call with.';
  if (found !== undefined) return found.name;
  return error.value === undefined ? 'Example ID. Looking for a resource…' : 'Example ID.';
}

interface BodyFieldProps {
  readonly text: string;
  readonly examples: readonly string[];
  readonly onInput: (text: string) => void;
}

function BodyField({ text, examples, onInput }: BodyFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Body</label>
      <textarea
        id={id}
        rows={Math.min(Math.max(text.split('\n').length, 3), 14)}
        spellcheck={false}
        value={text}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`} role="status">
        {!isJsonText(text) && 'Not valid JSON: the service would refuse this request.'}
      </p>
      {examples.length > 1 && (
        <div class="buttons">
          {examples.map((example, at) => (
            <button key={example} type="button" class="small" onClick={() => onInput(example)}>
              Example {at + 1}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
