import { z } from 'zod';

/** The parts of a schema in the OpenAPI document that the page shows. */
export type Schema = {
  readonly $ref?: string | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly default?: string | number | boolean | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly format?: string | undefined;
  readonly items?: Schema | undefined;
  readonly maximum?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly type?: string | readonly string[] | undefined;
};

const schema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  examples: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  get items() {
    return schema.optional();
  },
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  minLength: z.number().optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
});

const example = z.object({ summary: z.string(), value: z.object({ message: z.string() }) });
const content = z.record(
  z.string(),
  z.object({ schema, examples: z.record(z.string(), example).optional() }),
);
const reply = z.object({
  $ref: z.string().optional(),
  description: z.string().default(''),
  headers: z.record(z.string(), z.unknown()).optional(),
  content: content.optional(),
});
const operation = z.object({
  summary: z.string(),
  tags: z.array(z.string()),
  'x-source': z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]),
  requestBody: z.object({ description: z.string().default(''), content }).optional(),
  responses: z.record(z.string(), reply),
});

/** The parts of the OpenAPI document that the page of the HTTP API shows. */
export const apiDocumentShape = z.object({
  info: z.object({ summary: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), reply),
    securitySchemes: z.record(z.string(), z.object({ name: z.string().optional(), description: z.string() })),
  }),
});

export type ApiDocument = z.infer<typeof apiDocumentShape>;
export type Operation = z.infer<typeof operation>;
export type Reply = z.infer<typeof reply>;
