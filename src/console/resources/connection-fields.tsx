import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { ConnectionItem } from '../session/api.js';
import { FormField, readText } from '../ui/form.js';

/** Types with known settings; other types accept any JSON object. */
const postgresTypes = ['postgresql', 'pg'];

export function ConnectionFields({ of }: { readonly of: ConnectionItem | undefined }) {
  const type = useSignal(of?.type ?? 'postgresql');
  const types = useId();
  return (
    <>
      <FormField label="Name" name="name" required maxLength={255} defaultValue={of?.name ?? ''} />
      <FormField
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
        <FormField label="Host" name="host" required defaultValue={text(host)} />
        <FormField
          label="Port"
          name="port"
          required
          inputMode="numeric"
          pattern="[0-9]+"
          defaultValue={text(port ?? 5432)}
        />
      </div>
      <div class="pair">
        <FormField label="Database" name="database" required defaultValue={text(database)} />
        <FormField label="User" name="user" required defaultValue={text(user)} />
      </div>
      <FormField
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        required={of === undefined}
        hint={of && 'Leave empty to keep the current password.'}
      />
      <label class="check">
        <input type="checkbox" name="ssl" defaultChecked={ssl !== false} /> <span>Require TLS</span>
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
        A JSON object.{' '}
        {of && 'Settings that you omit stay unchanged. Settings that may be secret are not shown.'}
      </p>
    </div>
  );
}

/** The request body from the form. @throws Error if the settings are not valid JSON */
export function readForm(fields: FormData): object {
  const named = { name: readText(fields, 'name'), type: readText(fields, 'type') };
  if (fields.has('config')) return { ...named, config: parseSetting(readText(fields, 'config') ?? '') };
  const password = readText(fields, 'password');
  return {
    ...named,
    config: {
      host: readText(fields, 'host'),
      port: Number(readText(fields, 'port')),
      database: readText(fields, 'database'),
      user: readText(fields, 'user'),
      ...(password !== undefined && { password }),
      ssl: fields.has('ssl'),
    },
  };
}

function parseSetting(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Settings are not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}
