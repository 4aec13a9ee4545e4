import type { OpenAPIHono } from '@hono/zod-openapi';
import { keyedCalls } from './idempotency.ts';
import { optionalSession } from '#api/schemas.ts';

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

function error(description: string) {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

const isKeyed = (call: string) => keyedCalls.some((keyed) => keyed === call);

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'One for each act, 16 to 100 characters, such as a UUID. Sent again within a day with the same body, the call does nothing and gets the first answer, with `Idempotency-Replayed`.',
  schema: { type: 'string', minLength: 16, maxLength: 100 },
} as const;

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
      if (isKeyed(`${method.toUpperCase()} ${path}`)) {
        operation.parameters = [...(operation.parameters ?? []), keyParameter];
        operation.responses = {
          409: error('Sent before with this key, and not answered yet'),
          422: error('The key was used for another call'),
          ...operation.responses,
        };
      }
      operation.operationId = operationIdOf(method, path);
      const { responses } = operation;
      // A contract names its own security where 401 has another reason than a missing session.
      operation.security ??= responses?.['401'] === undefined ? optionalSession : [{ session: [] }];
      operation.responses = {
        ...(operation.requestBody !== undefined && {
          400: error('Bad input'),
          408: error('The body did not arrive in time'),
          413: error('Too large'),
        }),
        ...(method === 'get'
          ? {
              304: { description: 'Not changed since the version of `If-None-Match`' },
              412: error('`If-Match` names another version'),
            }
          : method !== 'delete' && { 415: error('A body that is not JSON') }),
        ...answersOfGuards(method, path),
        429: error('Too many requests; `Retry-After` says when to ask again'),
        500: error('Something went wrong on the site'),
        503: error('The site is not ready; `Retry-After` says when to ask again'),
        504: error(
          'It took too long and was stopped (`server/too-slow`); nothing was changed, and asking again will not help',
        ),
        ...responses,
      };
    }
  return document;
}

/** By the first folder of the path. */
function answersOfGuards(method: string, path: string): Record<number, ReturnType<typeof error>> {
  if (path.startsWith('/admin/'))
    return {
      403: error('The session has not passed the second factor, or its user was not asked lately'),
      404: error('Not found; also for users who are no operators'),
    };
  return path.startsWith('/studio/') && method !== 'get' ? { 403: error('For creators only') } : {};
}

/**
 * `get /users-playlists/{id}/audios` becomes `getUsersPlaylistsByIdAudios`: independent of other calls, so names stay
 * stable.
 */
function operationIdOf(method: string, path: string): string {
  const words = path.replaceAll(/\{(\w+)\}/g, 'by-$1').split(/[/-]/);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
