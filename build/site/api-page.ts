import { apiDocument } from '../../src/api-description/document.js';
import { type ApiDocument, apiDocumentShape, type Operation, type Reply, type Schema } from './api-shape.js';
import { type Page, toPage } from './pages.js';

/** The page of the HTTP API: every call, schema and error of the OpenAPI document. */
export function apiPage(group: string): Page {
  const api = apiDocumentShape.parse(apiDocument());
  const parts = [
    '# HTTP API',
    `For client developers: all calls to the service. ${api.info.summary}.`,
    'This page is generated from the OpenAPI document, which `orgctl openapi` prints. [ref] marks what the API reference describes, [ours] what orgctl chose ([why](not-in-the-api-reference.md)).',
    '## Authentication',
    ...Object.values(api.components.securitySchemes).map(
      ({ name = 'Authorization', description }) => `### ${name}\n\n${sentence(description)}`,
    ),
    ...api.tags.flatMap(({ name, description }) => [
      `## ${sentence(name).slice(0, -1)}`,
      sentence(description),
      ...calls(api, name),
    ]),
    '## Errors',
    'Every error has the body `{"statusCode","message"}`.',
    table(['status', 'meaning', 'messages'], errors(api)),
    '## Schemas',
    ...Object.entries(api.components.schemas).flatMap(([name, schema]) => describe(name, schema)),
  ];
  return toPage('docs/reference/http-api.md', group, 'HTTP API', parts.join('\n\n'));
}

function calls({ paths }: ApiDocument, tag: string): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => call(`${method.toUpperCase()} ${path}`, operation)),
  );
}

function call(line: string, operation: Operation): string {
  const { summary, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const rows = parameters.map(({ name, in: place, schema }) => [`\`${name}\``, place, type(schema)]);
  return [
    `### ${line}`,
    `${summary}. [${operation['x-source']}]`,
    ...(rows.length === 0 ? [] : [table(['parameter', 'in', 'type'], rows)]),
    ...(body === undefined ? [] : [`Body: ${type(body)}. ${inText(requestBody?.description ?? '')}`]),
    ...Object.entries(responses).flatMap(([status, reply]) => success(status, reply)),
    `Errors: ${Object.keys(responses)
      .filter((status) => Number(status) >= 400)
      .map((status) => `[${status}](#errors)`)
      .join(', ')}.`,
  ].join('\n\n');
}

function success(status: string, { content, headers, $ref }: Reply): string[] {
  if ($ref !== undefined) return [];
  const schema = content?.['application/json']?.schema;
  const names = Object.keys(headers ?? {}).map((name) => `\`${name}\``);
  const withHeaders = names.length === 0 ? '' : `, with ${names.join(', ')}`;
  return [
    `Response: ${status}${schema === undefined ? ' without a body' : `, ${type(schema)}`}${withHeaders}.`,
  ];
}

/** Omits variants of errors with quota headers, which differ only in these headers. */
function errors({ paths, components }: ApiDocument): string[][] {
  const replies = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
  );
  const named = new Map(
    replies.flatMap(([status, { $ref }]) => ($ref === undefined ? [] : [[status, lastPart($ref)] as const])),
  );
  return [...named].sort().map(([status, name]) => {
    const { description, content } = components.responses[name.replace(/WithQuota$/, '')] ?? {
      description: '',
    };
    const examples = Object.values(content?.['application/json']?.examples ?? {});
    const messages = examples.map(({ value, summary }) => `\`${value.message}\`: ${summary}`);
    return [status, description, messages.join('<br>')];
  });
}

function describe(name: string, schema: Schema): string[] {
  const forms = schema.anyOf ?? [schema];
  return [
    `### ${name}`,
    ...(schema.description === undefined ? [] : [schema.description]),
    ...forms.flatMap((form, index) => [
      ...(forms.length > 1 ? [index === 0 ? 'Either:' : 'Or:'] : []),
      table(['field', 'type', ''], fields(form)),
    ]),
    ...(schema.examples ?? []).map((value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``),
  ];
}

function fields({ properties = {}, required = [] }: Schema, before = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [
      `\`${before}${name}\``,
      type(field),
      [required.includes(name) ? 'required' : '', field.description ?? ''].filter(Boolean).join('; '),
    ],
    ...fields(field, `${before}${name}.`),
  ]);
}

function type(schema: Schema): string {
  if (schema.$ref !== undefined) return `[${lastPart(schema.$ref)}](#${lastPart(schema.$ref).toLowerCase()})`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(type).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(' or ');
  if (schema.items !== undefined) return `array of ${type(schema.items)}`;
  if (schema.properties?.['data']?.items !== undefined)
    return `a page: \`data\` is an ${type(schema.properties['data'])}`;
  return [[schema.type ?? 'any'].flat().join(' or '), bounds(schema)].filter(Boolean).join(', ');
}

function bounds({ format, minimum, maximum, minLength, maxLength, default: unless }: Schema): string {
  const [low, high] = [minimum ?? minLength, maximum ?? maxLength];
  const unit = minLength === undefined && maxLength === undefined ? '' : ' characters';
  const range = high === undefined ? low && `at least ${low}${unit}` : `${low ?? 0} to ${high}${unit}`;
  const otherwise = unless === undefined ? undefined : `default ${unless}`;
  return [format, range, otherwise].filter(Boolean).join(', ');
}

function sentence(text: string): string {
  const ended = /[.:]$/.test(text) ? text : `${text}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(inCell))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Escapes underscores, so that names such as `__proto__` are not emphasis. */
function inText(text: string): string {
  return text.replaceAll('_', '\\_');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
