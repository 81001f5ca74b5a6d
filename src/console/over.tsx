import { useEffect, useRef } from 'preact/hooks';
import { openWithCode } from './session/session.js';
import { Copyable } from './ui/copy.js';
import { Form, FormField, readText } from './ui/form.js';

export function Over({ reason }: { readonly reason: string }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  const command = /orgctl local console.*/.exec(reason)?.[0] ?? 'orgctl local console';
  const open = (fields: FormData) => openWithCode(readText(fields, 'code') ?? '');
  return (
    <main class="over" ref={place}>
      <h1>Open the console</h1>
      <p>{reason}</p>
      <Form send="Open" isInline onSend={open}>
        <FormField label="Code" name="code" placeholder="XXXX-XXXX" maxLength={20} required />
      </Form>
      <p>No code? Get a new link in a terminal:</p>
      <p>
        <Copyable text={command} what="the command" />
      </p>
      <p class="hint">
        If the server's data is in another directory, add <code>--data DIR</code>. A server in memory prints a
        link when it starts.
      </p>
    </main>
  );
}
