import type { FastifyRequest } from 'fastify';
import { pageNumber, pageSize } from '../../api/schema/envelope.js';
import type { z } from '../../api/schema/schema.js';
import type { RowPageRequest } from '../../storage/resources.js';
import { explainUnknownId } from '../explain/explain-not-found.js';
import { badRequest, refuseNotFound } from '../http/http-error.js';
import { parseJsonBody } from '../http/json-body.js';

export interface OneResource {
  Params: { id: string };
}

export function readOrganization(request: FastifyRequest): string {
  if (request.key === null) throw new Error('a route was reached without authentication');
  return request.key.organizationId;
}

export const identifierPattern = /^[A-Za-z0-9_-]{1,255}$/;

/** @throws HttpError 404 for an impossible ID, which a database might not accept */
export function readIdentifier(request: FastifyRequest<OneResource>): string {
  const { id } = request.params;
  if (!identifierPattern.test(id)) throw refuseNotFound(explainUnknownId);
  return id;
}

/** @throws HttpError 400 or 415 */
export function readBody<Schema extends z.core.$ZodType>(
  request: FastifyRequest,
  schemaOf: (value: unknown) => Schema,
  translate?: (value: unknown) => unknown,
): z.output<Schema> {
  const { bytes, headers } = request;
  return parseJsonBody(headers['content-type'], bytes ?? Buffer.alloc(0), schemaOf, translate);
}

export function requireFound<Resource>(resource: Resource | undefined): Resource {
  if (resource === undefined) throw refuseNotFound(explainUnknownId);
  return resource;
}

/** `limit` from 1 to 100, default 20, and `page` from 1. @throws HttpError 400 for other or repeated values */
export function parsePageQuery(query: unknown): RowPageRequest {
  return {
    limit: readCount(query, 'limit', pageSize),
    page: readCount(query, 'page', pageNumber),
  };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

export function readCount(query: unknown, name: string, { min, max, default: whenAbsent }: Bounds): number {
  const value: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^(?:0|[1-9]\d{0,12})$/.test(value) ? Number(value) : -1;
  if (number < min || number > max)
    throw badRequest(`${name} must be one integer from ${min} to ${max}`, 'query');
  return number;
}
