import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ConnectionItem } from '../session/api.js';
import { Field, textOf } from '../ui/form.js';

/** The types of which the settings are known (reference, section 2); others take any JSON object. */
const postgresTypes = ['postgresql', 'pg'];

/** What a connection is made of. A password only ever goes in: of one that is there nothing is shown. */
export function ConnectionFields({ of }: { readonly of: ConnectionItem | undefined }) {
  const type = useSignal(of?.type ?? 'postgresql');
  const types = useId();
  return (
    <>
      <Field label="Name" name="name" required maxLength={255} defaultValue={of?.name ?? ''} />
      <Field
        label="Type"
        name="type"
        required
        maxLength={64}
        list={types}
        value={type.value}
        onInput={({ currentTarget }) => {
          type.value = currentTarget.value;
        }}
      />
      <datalist id={types}>
        {postgresTypes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {postgresTypes.includes(type.value) ? <PostgresFields of={of} /> : <AnyConfig of={of} />}
    </>
  );
}

function PostgresFields({ of }: { readonly of: ConnectionItem | undefined }) {
  const { host, port, database, user, ssl } = of?.config ?? {};
  const text = (value: unknown) => (value === undefined ? '' : String(value));
  return (
    <>
      <div class="pair">
        <Field label="Host" name="host" required defaultValue={text(host)} />
        <Field
          label="Port"
          name="port"
          required
          inputMode="numeric"
          pattern="[0-9]+"
          defaultValue={text(port ?? 5432)}
        />
      </div>
      <div class="pair">
        <Field label="Database" name="database" required defaultValue={text(database)} />
        <Field label="User" name="user" required defaultValue={text(user)} />
      </div>
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        required={of === undefined}
        hint={of && 'Left empty the password stays as it is.'}
      />
      <label class="check">
        <input type="checkbox" name="ssl" defaultChecked={ssl !== false} /> <span>Only over TLS</span>
      </label>
    </>
  );
}

function AnyConfig({ of }: { readonly of: ConnectionItem | undefined }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Settings</label>
      <textarea id={id} name="config" rows={6} spellcheck={false} aria-describedby={`${id}-hint`}>
        {of === undefined ? '{\n}' : JSON.stringify(of.config, null, 2)}
      </textarea>
      <p class="hint" id={`${id}-hint`}>
        A JSON object. {of && 'What is left out stays, as passwords do, which are not shown.'}
      </p>
    </div>
  );
}

/** The body that a form makes. @throws Error when the settings are no JSON. */
export function bodyOf(fields: FormData): object {
  const named = { name: textOf(fields, 'name'), type: textOf(fields, 'type') };
  if (fields.has('config')) return { ...named, config: parsed(textOf(fields, 'config') ?? '') };
  const password = textOf(fields, 'password');
  return {
    ...named,
    config: {
      host: textOf(fields, 'host'),
      port: Number(textOf(fields, 'port')),
      database: textOf(fields, 'database'),
      user: textOf(fields, 'user'),
      ...(password !== undefined && { password }),
      ssl: fields.has('ssl'),
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The settings are no JSON: ${error instanceof Error ? error.message : error}`);
  }
}
