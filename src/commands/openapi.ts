import { command } from '../cli/command.js';

export const openapi = command({
  description:
    "Print the API's OpenAPI 3.1 document, as JSON, or as YAML with -o yaml. What it marks with x-source: ref is the API reference; orgctl chose the rest.",
  examples: [
    ['orgctl openapi > openapi.json', 'for a client generator, or a viewer'],
    ["orgctl openapi --query 'components.schemas.ConnectionInput'", 'the fields of a new connection'],
  ],
  async run(context) {
    const { apiDocument } = await import('../api/openapi.js');
    await (await context.textPrinter()).document(apiDocument());
  },
});
