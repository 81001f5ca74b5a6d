import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';

export function openapi(command: Command, context: Context): void {
  withExamples(
    command.description(
      "Print the API's OpenAPI 3.1 document, as JSON, or as YAML with -o yaml; x-source marks what is from the API reference and what is orgctl's own.",
    ),
    [
      ['orgctl openapi > openapi.json', 'for a client generator, or a viewer'],
      ['orgctl openapi -o yaml', 'as YAML, to read'],
      ["orgctl openapi --query 'components.schemas.ConnectionInput'", 'the fields of a new connection'],
    ],
    {},
  ).action(() => printDocument(context));
}

async function printDocument({ textPrinter }: Pick<Context, 'textPrinter'>): Promise<void> {
  const { apiDocument } = await import('../api-description/document.js');
  await (await textPrinter()).document(apiDocument());
}
