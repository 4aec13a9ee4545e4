import type { OpenAPIHono } from '@hono/zod-openapi';
import { optionalSession } from './schemas.ts';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

function error(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

/**
 * Adds what middleware does before all routes: names, sessions, body limits and overload answers.
 * @param document generated from the routes' schemas; modified in place
 */
export function completeDescription(document: Document): Document {
  document.components = {
    ...document.components,
    securitySchemes: {
      session: { type: 'http', scheme: 'bearer', description: 'The `token` that `POST /auth/login` answers' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sotto_session', description: 'Set by the same calls' },
    },
  };
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      operation.operationId = operationIdOf(method, path);
      const { responses } = operation;
      // A contract names its own security where 401 has another reason than a missing session.
      operation.security ??= responses?.['401'] === undefined ? optionalSession : [{ session: [] }];
      operation.responses = {
        ...(operation.requestBody !== undefined && {
          400: error('Bad input'),
          413: error('Too large'),
          415: error('Not JSON'),
        }),
        429: error('Too many requests; `Retry-After` says when to ask again'),
        503: error('The site is not ready; `Retry-After` says when to ask again'),
        ...responses,
      };
    }
  return document;
}

/**
 * `get /users-playlists/{id}/audios` becomes `getUsersPlaylistsByIdAudios`: independent of other calls, so names stay
 * stable.
 */
function operationIdOf(method: string, path: string): string {
  const words = path.replaceAll(/\{(\w+)\}/g, 'by-$1').split(/[/-]/);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
