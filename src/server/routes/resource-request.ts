import type { FastifyRequest } from 'fastify';
import type { z } from '../../contract/schema.js';
import { notFound } from '../pipeline/http-error.js';
import { parseJsonBody } from './json-body.js';

/** The path parameters of a route to one resource. */
export interface OneResource {
  Params: { id: string };
}

/** The organization whose resources the request may see. */
export function organizationOf(request: FastifyRequest): string {
  if (request.key === null) throw new Error('a route was reached without authentication');
  return request.key.organizationId;
}

const identifier = /^[A-Za-z0-9_-]{1,255}$/;

/** @throws HttpError 404 for what no resource is named; a database may refuse such text. */
export function identifierOf(request: FastifyRequest<OneResource>): string {
  const { id } = request.params;
  if (!identifier.test(id)) throw notFound();
  return id;
}

/** @throws HttpError 400 or 415 when the body does not fit. */
export function bodyOf<Schema extends z.core.$ZodType>(
  request: FastifyRequest,
  schemaOf: (value: unknown) => Schema,
): z.output<Schema> {
  return parseJsonBody(request.headers['content-type'], request.bytes ?? Buffer.alloc(0), schemaOf);
}

/** @throws HttpError 404 when there is no such resource in the organization. */
export function required<Resource>(resource: Resource | undefined): Resource {
  if (resource === undefined) throw notFound();
  return resource;
}
