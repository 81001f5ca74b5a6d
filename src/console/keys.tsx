import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallAnswer, ControlledKey } from '../api/control/control-answers.js';
import { toHref } from './session/route.js';
import { call, changes, organization, status, useLoaded } from './session/server.js';
import { Button, Dialog, DialogForm, Field, Form, readText } from './ui/form.js';
import { attempt } from './ui/notices.js';
import { type Column, Facts, Head, isFound, NoRows, SearchField, Show, Table } from './ui/page.js';
import { Age, Copyable } from './ui/words.js';

interface Asked {
  readonly what: 'issue' | 'rename' | 'revoke';
  /** `undefined` for a new key. */
  readonly key?: ControlledKey;
}

const nameField = { label: 'Name', name: 'name', required: true, maxLength: 255 };

export function KeysView() {
  const owner = organization.value?.id;
  const load = async () => (await call('keys.list', { organization: owner })).keys;
  const keys = useLoaded(load, [owner, changes.value], true);
  const [asked, ask] = useState<Asked>();
  return (
    <>
      <Head title="API keys">
        <SearchField noun="API key" />
        <Button kind="primary" text="Issue a key" onClick={() => ask({ what: 'issue' })} />
      </Head>
      <Show of={keys}>{(all) => <KeyTable keys={all.filter(isKeyFound)} ask={ask} />}</Show>
      {asked && <KeyDialog asked={asked} onClose={() => ask(undefined)} />}
    </>
  );
}

function isKeyFound({ id, name, enabled }: ControlledKey): boolean {
  return isFound(`${id} ${name} ${describe(enabled)}`);
}

function describe(enabled: boolean): string {
  return enabled ? 'enabled' : 'disabled';
}

const columns: readonly Column<ControlledKey>[] = [
  {
    title: 'Status',
    cell: ({ enabled }) => <span class={enabled ? 'badge good' : 'badge bad'}>{describe(enabled)}</span>,
  },
  {
    title: 'Last used',
    cell: ({ id, last_used_at: at }) => (
      <a href={at === null ? undefined : toHref('requests', { search: id })}>
        <Age at={at} />
      </a>
    ),
  },
  { title: 'Issued', cell: ({ created_at: at }) => <Age at={at} /> },
];

type KeyTableProps = { readonly keys: readonly ControlledKey[]; readonly ask: (asked: Asked) => void };

function KeyTable({ keys, ask }: KeyTableProps) {
  if (keys.length === 0)
    return (
      <NoRows noun="API key" hint="Nothing can call the API for this organization until you issue a key." />
    );
  const turn = ({ id, name, enabled }: ControlledKey) =>
    enabled
      ? attempt(() => call('keys.disable', { id }), `${name} disabled. Its requests are now refused.`)
      : attempt(() => call('keys.enable', { id }), `${name} enabled. It works again.`);
  return (
    <Table rows={keys} columns={columns}>
      {(key) => {
        const { name, enabled } = key;
        return (
          <>
            <Button kind="small" text={enabled ? 'Disable' : 'Enable'} of={name} onClick={() => turn(key)} />
            <Button kind="small" text="Rename…" of={name} onClick={() => ask({ what: 'rename', key })} />
            <Button
              kind="small danger"
              text="Revoke…"
              of={name}
              onClick={() => ask({ what: 'revoke', key })}
            />
          </>
        );
      }}
    </Table>
  );
}

function KeyDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const { what, key } = asked;
  if (key === undefined) return <IssueDialog onClose={onClose} />;
  const { id, name } = key;
  if (what === 'revoke') {
    const revoke = async () => {
      await call('keys.revoke', { id });
      return `${name} revoked.`;
    };
    return (
      <DialogForm title={`Revoke ${name}?`} send="Revoke" isDangerous onSend={revoke} onClose={onClose}>
        <p>
          This permanently deletes the key <code>{id}</code>. Requests that use it will fail with{' '}
          <em>Invalid API key</em>. To be able to turn it back on later, disable it instead.
        </p>
      </DialogForm>
    );
  }
  const rename = async (fields: FormData) => {
    const renamed = await call('keys.rename', { id, name: readText(fields, 'name') ?? '' });
    return `${name} renamed to ${renamed.name}.`;
  };
  return (
    <DialogForm title={`Rename ${name}`} send="Rename" onSend={rename} onClose={onClose}>
      <Field {...nameField} defaultValue={name} hint="The ID and the secret stay the same." />
    </DialogForm>
  );
}

type IssuedKey = CallAnswer<'keys.issue'>;

function IssueDialog({ onClose }: { readonly onClose: () => void }) {
  const [key, setKey] = useState<IssuedKey>();
  const issue = async (fields: FormData) => {
    const owner = organization.value?.id;
    setKey(await call('keys.issue', { name: readText(fields, 'name'), organization: owner }));
  };
  return (
    <Dialog title={key === undefined ? 'Issue a key' : `Key created: ${key.name}`} onClose={onClose}>
      {key === undefined ? (
        <Form send="Issue" onCancel={onClose} onSend={issue}>
          <Field {...nameField} hint="The purpose of the key, such as ci or billing-worker." />
        </Form>
      ) : (
        <Issued issued={key} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Issued({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) {
  const told = useRef<HTMLParagraphElement>(null);
  // The focused button is no longer on the page.
  useEffect(() => told.current?.focus(), []);
  return (
    <>
      <p ref={told} tabIndex={-1}>
        Copy the secret now. You will not be able to see it again.
      </p>
      <Facts
        of={[
          ['Key ID', <Copyable key="id" text={issued.id} what="the key's ID" />],
          ['Secret', <Copyable key="secret" text={issued.secret} what="the secret" />],
        ]}
      />
      {status.value?.savesProfiles && <SaveAsProfile issued={issued} />}
      <div class="row">
        <Button kind="primary" text="Done" onClick={onClose} />
      </div>
    </>
  );
}

function SaveAsProfile({ issued: { id, name, secret } }: { readonly issued: IssuedKey }) {
  const [saved, setSaved] = useState<string>();
  if (saved !== undefined) {
    return (
      <p role="status">
        Saved. Try it: <Copyable text={`orgctl quotas -p ${saved}`} what="the command" />
      </p>
    );
  }
  const save = async (fields: FormData) => {
    const profile = readText(fields, 'profile') ?? '';
    await call('profiles.save', { name: profile, keyId: id, secret });
    setSaved(profile);
  };
  return (
    <Form send="Save as profile" isInline onSend={save}>
      <Field
        label="Profile"
        name="profile"
        required
        defaultValue={name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')}
        hint="Saves the key under this name. Use it with orgctl -p NAME."
      />
    </Form>
  );
}
