import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { readLinkCommand } from './session/link-command.js';
import { openWithCode, readServerStart } from './session/session.js';
import { Copyable } from './ui/copy.js';
import { Form, FormField, readText } from './ui/form.js';

export function Over({ reason }: { readonly reason: string }) {
  const mainRef = useRef<HTMLElement>(null);
  const newLink = useSignal<string | undefined>(undefined);
  useEffect(() => {
    mainRef.current?.querySelector('input')?.focus();
    // If the server does not respond, the page keeps showing the command without options.
    readServerStart().then(
      (start) => {
        newLink.value = readLinkCommand(start.newLink);
      },
      () => undefined,
    );
  }, []);
  const open = (fields: FormData) => openWithCode(readText(fields, 'code') ?? '');
  return (
    <main class="over" ref={mainRef}>
      <h1>Open the console</h1>
      <p>{reason}</p>
      <Form send="Open" isInline onSend={open}>
        <FormField label="Code" name="code" placeholder="XXXX-XXXX" maxLength={20} required />
      </Form>
      <p>
        This command prints a new link or, with <code>--open</code>, opens this page and prints a code:
      </p>
      <p>
        <Copyable text={newLink.value ?? 'orgctl local console'} what="the command" />
      </p>
      {newLink.value?.includes(' --proxy ') !== true && (
        <p class="hint">
          {newLink.value === undefined && (
            <>
              If the server's data is in another directory, add <code>--data DIR</code>.{' '}
            </>
          )}
          For a server that keeps its data in memory, set ORGCTL_CONTROL_URL, ORGCTL_CONTROL_TOKEN and
          ORGCTL_CA_FILE first.
        </p>
      )}
    </main>
  );
}
