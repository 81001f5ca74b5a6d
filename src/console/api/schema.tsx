import type { ApiDocument, DocumentSchema } from '../session/api-document.js';
import { describeType, listFields, listShapes, type SchemaField } from './schema-fields.js';

interface SchemaProps {
  readonly of: DocumentSchema;
  readonly document: ApiDocument;
}

export function Schema({ of, document }: SchemaProps) {
  const shapes = listShapes(of, document);
  return (
    <>
      {shapes.map((shape, at) => (
        <div key={JSON.stringify(shape)}>
          {shapes.length > 1 && <p class="shape">{at === 0 ? 'Either' : 'Or'}</p>}
          <p class="hint">{describeType(shape, document)}</p>
          <FieldTable of={listFields(shape, document)} />
        </div>
      ))}
    </>
  );
}

/** A list rather than a table, so that a narrow page needs no horizontal scrolling. */
function FieldTable({ of }: { readonly of: readonly SchemaField[] }) {
  return (
    <ul class="fields">
      {of.map(({ path, type, isRequired, limits }) => (
        <li key={path}>
          <code>{path}</code> <span class="faint">{type}</span>
          {isRequired && <span class="required"> required</span>}
          {limits !== '' && <span class="limits">{limits}</span>}
        </li>
      ))}
    </ul>
  );
}

export function ExampleBlock({
  value,
  title = 'Example',
}: {
  readonly value: unknown;
  readonly title?: string;
}) {
  return (
    <figure class="example">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets the keyboard scroll the text */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </figure>
  );
}
