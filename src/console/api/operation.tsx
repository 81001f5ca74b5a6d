import type { TargetedToggleEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiDocument, DocumentOperation, DocumentParameter } from '../session/api-document.js';
import { route, setQuery } from '../session/router.js';
import { Method } from '../ui/method.js';
import { Answers } from './answers.js';
import { type CallOrigin, OperationCall } from './operation-call.js';
import { Schema } from './schema.js';
import { describeLimits, describeType } from './schema-fields.js';
import { SourceMark } from './source.js';

export interface OperationProps {
  readonly operation: DocumentOperation;
  readonly document: ApiDocument;
  readonly origin: CallOrigin;
}

export function OperationEntry(props: OperationProps) {
  const { operationId, method, path, summary, 'x-source': source } = props.operation;
  const isOpen = route.value.query.get('call') === operationId;
  const entry = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isOpen) entry.current?.querySelector('summary')?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  // `onToggle` also fires after the address has opened or closed the entry.
  const turn = ({ currentTarget: { open } }: TargetedToggleEvent<HTMLDetailsElement>) => {
    if (open !== isOpen) setQuery({ call: open ? operationId : undefined });
  };
  return (
    <details class="operation" open={isOpen} onToggle={turn} ref={entry}>
      <summary>
        <h3>
          <Method name={method} /> <code>{path}</code>
        </h3>
        <span class="what">{summary}</span>
        <SourceMark of={source} />
      </summary>
      {isOpen && <DescribedBody {...props} />}
    </details>
  );
}

function DescribedBody({ operation, document, origin }: OperationProps) {
  return (
    <div class="described">
      <div class="columns">
        <div class="stack">
          <Parameters of={operation.parameters} document={document} />
          <Body operation={operation} document={document} />
        </div>
        <OperationCall operation={operation} document={document} origin={origin} />
      </div>
      <Answers operation={operation} document={document} />
    </div>
  );
}

function Parameters({
  of,
  document,
}: {
  readonly of: readonly DocumentParameter[];
  readonly document: ApiDocument;
}) {
  return (
    <section>
      <h4>Parameters</h4>
      {of.length === 0 && <p class="faint">None.</p>}
      <ul class="fields">
        {of.map(({ name, in: place, schema, 'x-source': source }) => (
          <li key={name}>
            <code>{name}</code>{' '}
            <span class="faint">
              {describeType(schema, document)}, in the {place}
            </span>{' '}
            <SourceMark of={source} />
            <span class="limits">{describeLimits(schema)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Body({ operation: { requestBody: body }, document }: Omit<OperationProps, 'origin'>) {
  if (body === undefined) return null;
  return (
    <section>
      <h4>
        Body <SourceMark of={body['x-source']} />
      </h4>
      <p class="hint">{body.description}</p>
      <Schema of={body.content['application/json'].schema} document={document} />
    </section>
  );
}
