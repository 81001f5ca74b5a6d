import { useState } from 'preact/hooks';
import type { Item } from './session/server.js';
import { Area, Field, readJson, readText } from './ui/form.js';

/** Types with known settings; other types accept any JSON object. */
const postgresTypes = ['postgresql', 'pg'];

const settingsLabel = 'Settings';

function readConfig(connection: Item | undefined): Readonly<Record<string, unknown>> {
  return { ...Object(connection?.['config']) };
}

/** Such as `app@db.internal:5432/orders`, or the names of other settings. */
export function describeWhere(connection: Item) {
  const config = readConfig(connection);
  const { user, host, port, database } = config;
  if (typeof host !== 'string')
    return <span class="faint">{Object.keys(config).join(', ') || 'not shown'}</span>;
  const parts = [user && `${user}@`, host, port && `:${port}`, database && `/${database}`];
  return <code>{parts.filter(Boolean).join('')}</code>;
}

export function ConnectionFields({ of }: { readonly of: Item | undefined }) {
  const [type, setType] = useState(String(of?.['type'] ?? 'postgresql'));
  const config = readConfig(of);
  const isPostgres = postgresTypes.includes(type);
  return (
    <>
      <Field
        label="Type"
        name="type"
        required
        maxLength={64}
        value={type}
        hint="postgresql, pg, or another one, with settings as JSON."
        onInput={({ currentTarget }) => setType(currentTarget.value)}
      />
      {isPostgres && <PostgresFields config={config} isNew={of === undefined} />}
      {!isPostgres && (
        <Area
          label={settingsLabel}
          name="config"
          text={of === undefined ? '{\n}' : JSON.stringify(config, null, 2)}
          hint={`A JSON object. ${of ? 'Settings that you omit stay unchanged. Secret ones are not shown.' : ''}`}
        />
      )}
    </>
  );
}

type PostgresFieldsProps = { readonly config: ReturnType<typeof readConfig>; readonly isNew: boolean };

function PostgresFields({ config, isNew }: PostgresFieldsProps) {
  const value = (name: string, usual = '') => {
    return { name, required: true, defaultValue: String(config[name] ?? usual) };
  };
  return (
    <>
      <div class="pair">
        <Field label="Host" {...value('host')} />
        <Field label="Port" inputMode="numeric" pattern="[0-9]+" {...value('port', '5432')} />
      </div>
      <div class="pair">
        <Field label="Database" {...value('database')} />
        <Field label="User" {...value('user')} />
      </div>
      <Field
        label="Password"
        name="password"
        type="password"
        autocomplete="new-password"
        required={isNew}
        hint={!isNew && 'Leave empty to keep the current password.'}
      />
      <label class="row">
        <input type="checkbox" name="ssl" defaultChecked={config['ssl'] !== false} /> Require TLS
      </label>
    </>
  );
}

export function readConnection(form: FormData): object {
  const text = (name: string) => readText(form, name);
  const named = { name: text('name'), type: text('type') };
  if (form.has('config')) return { ...named, config: readJson(form, 'config', settingsLabel) };
  const [host, database, user, password] = ['host', 'database', 'user', 'password'].map(text);
  const secret = password === undefined ? {} : { password };
  const port = Number(text('port'));
  return { ...named, config: { host, port, database, user, ...secret, ssl: form.has('ssl') } };
}
