import { operations } from '../api/operations.js';
import { resources } from '../api/resources/index.js';
import { version } from '../platform/version.js';
import { errorAnswers } from './answers.js';
import { namedSchemas } from './named-schemas.js';
import { describeOperation } from './operation.js';
import { security, securitySchemes } from './security.js';

/** The OpenAPI document, published as `orgctl/openapi.json`. */
export function apiDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Organization Resource API',
      version,
      summary: "An organization's API keys, connections to databases, teams and quotas",
      description:
        'The x-source of each call, parameter, field, header, response and error message is ref if the API reference describes it, and ours if orgctl and its embedded server chose it. The x-source of a field or parameter covers its type and its bounds; x-source-of names the exceptions. A response may have fields that are not described.',
    },
    servers: [
      {
        url: '{base_url}',
        description: 'Only HTTPS is accepted; the default is a server on this machine (orgctl serve).',
        variables: { base_url: { default: 'https://127.0.0.1:8443' } },
      },
    ],
    security,
    tags: tags(),
    paths: paths(),
    components: {
      schemas: namedSchemas(),
      responses: errorAnswers(),
      securitySchemes: securitySchemes(),
    },
  };
}

function tags() {
  const ofResources = resources.map(({ kind, plural }) => ({
    name: kind,
    description: `List, create, change and delete ${plural}`,
  }));
  return [{ name: 'quotas', description: 'Limits and usage of each kind of resource' }, ...ofResources];
}

function paths() {
  const all = operations().map((operation) => {
    const resource = resources.find(({ property }) => operation.id.startsWith(`${property}.`));
    return { ...operation, described: describeOperation(operation, resource) };
  });
  return Object.fromEntries(
    all.map(({ path }) => [
      path,
      Object.fromEntries(
        all
          .filter((other) => other.path === path)
          .map(({ method, described }) => [method.toLowerCase(), described]),
      ),
    ]),
  );
}
