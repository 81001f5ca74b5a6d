import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../cli/context.js';
import { withExamples } from '../cli/help-text.js';

export function openapi(command: Command, context: Context): void {
  withExamples(
    command.description(
      "Print the API's OpenAPI 3.1 document, as JSON or with -o yaml; x-source says what the API reference describes, and what is ours.",
    ),
    [
      ['orgctl openapi > openapi.json', 'for a client generator, or a viewer'],
      ['orgctl openapi -o yaml', 'to read'],
      ["orgctl openapi --query 'components.schemas.ConnectionInput'", 'what a connection is made from'],
    ],
    {},
  ).action(() => printDocument(context));
}

async function printDocument({ printer }: Pick<Context, 'printer'>): Promise<void> {
  const { apiDocument } = await import('../api-description/document.js');
  await (await printer()).document(apiDocument());
}
