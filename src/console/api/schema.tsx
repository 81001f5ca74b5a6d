import type { ApiDocument, JsonSchema } from '../session/api-document.js';
import { type Field, fieldsOf, shapesOf, typeOf } from './schema-fields.js';

interface SchemaProps {
  readonly of: JsonSchema;
  readonly document: ApiDocument;
}

export function Schema({ of, document }: SchemaProps) {
  const shapes = shapesOf(of, document);
  return (
    <>
      {shapes.map((shape, at) => (
        <div key={JSON.stringify(shape)}>
          {shapes.length > 1 && <p class="shape">{at === 0 ? 'Either' : 'Or'}</p>}
          <p class="hint">{typeOf(shape, document)}</p>
          <Fields of={fieldsOf(shape, document)} />
        </div>
      ))}
    </>
  );
}

/** Fields with their types and limits, one below the other: at any width nothing has to be scrolled for. */
function Fields({ of }: { readonly of: readonly Field[] }) {
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

export function Example({ value, title = 'Example' }: { readonly value: unknown; readonly title?: string }) {
  return (
    <figure class="example">
      <figcaption>{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </figure>
  );
}
