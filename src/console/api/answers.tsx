import {
  type ApiDocument,
  type DocumentAnswer,
  type DocumentOperation,
  listAnswers,
  resolveSchema,
} from '../session/api-document.js';
import { ExampleBlock, Schema } from './schema.js';
import { SourceMark } from './source.js';

interface AnswersProps {
  readonly operation: DocumentOperation;
  readonly document: ApiDocument;
}

export function Answers({ operation, document }: AnswersProps) {
  const answers = listAnswers(operation, document);
  return (
    <section class="answers">
      <h4>Responses</h4>
      {answers.map(([status, answer]) => (
        <details key={status} open={status.startsWith('2')}>
          <summary>
            <span class={status.startsWith('2') ? 'badge good' : 'badge bad'}>{status}</span>
            <span>{answer.description}</span>
            <SourceMark of={answer['x-source']} />
          </summary>
          <Messages of={answer} />
          <AnswerHeaderTable of={answer} />
          <AnswerContent of={answer} document={document} />
        </details>
      ))}
    </section>
  );
}

function Messages({ of }: { readonly of: DocumentAnswer }) {
  const messages = Object.values(of.content?.['application/json'].examples ?? {});
  if (messages.length === 0) return null;
  return (
    <ul class="fields">
      {messages.map(({ summary, value }) => (
        <li key={summary}>
          <code>{JSON.stringify(value)}</code>
          <span class="limits">{summary}</span>
        </li>
      ))}
    </ul>
  );
}

function AnswerHeaderTable({ of }: { readonly of: DocumentAnswer }) {
  const headers = Object.entries(of.headers ?? {});
  if (headers.length === 0) return null;
  return (
    <>
      <h5>Headers</h5>
      <ul class="fields">
        {headers.map(([name, { description, required, 'x-source': source }]) => (
          <li key={name}>
            <code>{name}</code> <span class="faint">{required ? 'always' : 'sometimes'}</span>{' '}
            <SourceMark of={source} />
            <span class="limits">{description}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function AnswerContent({ of, document }: { readonly of: DocumentAnswer; readonly document: ApiDocument }) {
  const content = of.content?.['application/json'];
  if (content === undefined || content.examples !== undefined) return null;
  const [example] = resolveSchema(content.schema, document).examples ?? [];
  return (
    <>
      <h5>Body</h5>
      <Schema of={content.schema} document={document} />
      {example !== undefined && <ExampleBlock value={example} />}
    </>
  );
}
