import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { StatusAnswer } from '../../api/control/control-answers.js';
import { api, type FreshKey } from '../session/api.js';
import { currentOrganization } from '../session/organizations.js';
import { Copyable } from '../ui/copy.js';
import { Dialog } from '../ui/dialog.js';
import { Form, FormField, readText } from '../ui/form.js';
import { FirstRequestSteps } from './first-request-steps.js';

interface IssueDialogProps {
  readonly status: StatusAnswer;
  readonly onIssued: () => Promise<unknown>;
  readonly onClose: () => void;
}

export function IssueDialog({ status, onIssued, onClose }: IssueDialogProps) {
  const issued = useSignal<FreshKey | undefined>(undefined);
  const { value: key } = issued;
  return (
    <Dialog title={key === undefined ? 'Issue a key' : `Key created: ${key.name}`} onClose={onClose}>
      {key === undefined ? (
        <Form
          send="Issue"
          onCancel={onClose}
          onSend={async (fields) => {
            issued.value = await api.keys.issue({
              name: readText(fields, 'name'),
              organization: currentOrganization.value?.id,
            });
            await onIssued();
          }}
        >
          <FormField
            label="Name"
            name="name"
            required
            maxLength={255}
            hint="The purpose of the key, such as ci or billing-worker."
          />
        </Form>
      ) : (
        <Issued status={status} issued={key} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface IssuedProps {
  readonly status: StatusAnswer;
  readonly issued: FreshKey;
  readonly onClose: () => void;
}

function Issued({ status, issued, onClose }: IssuedProps) {
  const told = useRef<HTMLParagraphElement>(null);
  // The form's button had the focus, and is no longer on the page.
  useEffect(() => told.current?.focus(), []);
  return (
    <>
      <p ref={told} tabIndex={-1}>
        Copy the secret now. You will not be able to see it again.
      </p>
      <dl class="facts">
        <dt>Key ID</dt>
        <dd>
          <Copyable text={issued.id} what="the key's ID" />
        </dd>
        <dt>Secret</dt>
        <dd>
          <Copyable text={issued.secret} what="the secret" />
        </dd>
      </dl>
      {status.savesProfiles && <StoreAsProfile issued={issued} />}
      <FirstRequestSteps status={status} keyId={issued.id} secret={issued.secret} />
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </>
  );
}

function StoreAsProfile({ issued }: { readonly issued: FreshKey }) {
  const stored = useSignal<string | undefined>(undefined);
  if (stored.value !== undefined) {
    return (
      <p role="status">
        Saved. Try: <code>orgctl quotas -p {stored.value}</code>
      </p>
    );
  }
  return (
    <Form
      send="Save as profile"
      onSend={async (fields) => {
        const name = readText(fields, 'profile') ?? '';
        await api.keys.store(name, issued);
        stored.value = name;
      }}
    >
      <FormField
        label="Profile"
        name="profile"
        required
        defaultValue={issued.name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')}
        hint="Saves the key under this name. Use it with orgctl -p NAME."
      />
    </Form>
  );
}
