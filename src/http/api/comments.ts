import { OpenAPIHono } from '@hono/zod-openapi';
import type { Comment, Thread } from '#domain/community/comments.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { takeAttempt } from './attempts.ts';
import * as contract from './comments-contract.ts';
import { found } from '#api/found.ts';
import { toPageResponse } from '#api/schemas.ts';

const reasons: Record<
  'not-found' | 'no-username' | 'disabled' | 'subscribers-only' | 'blocked' | 'empty' | 'too-long' | 'too-many',
  ErrorCode
> = {
  'not-found': 'request/not-found',
  'no-username': 'auth/invalid-username',
  disabled: 'comments/disabled',
  'subscribers-only': 'comments/subscribers-only',
  blocked: 'comments/blocked',
  empty: 'comment/empty',
  'too-long': 'comment/too-long',
  'too-many': 'comment/too-many',
};

const toResponse = <C extends Comment>(comment: C) => ({ ...comment, createdAt: comment.createdAt.toISOString() });
const toThread = (thread: Thread) => ({ ...toResponse(thread), replies: thread.replies.map(toResponse) });

/** Comments of listeners on audios. */
export function commentRoutes(parts: ApiParts) {
  const { catalogue, community, studio } = parts.site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listComments, async (context) => {
      const audio = found(await catalogue.findAudio(context.req.valid('param').id));
      const page = await community.listComments(context.get('viewer'), audio, context.req.valid('query'));
      return context.json(toPageResponse({ ...page, items: page.items.map(toThread) }), 200);
    })
    .openapi(contract.writeComment, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'comment', viewer.id);
      const { id } = context.req.valid('param');
      const outcome = await community.writeComment(viewer, id, context.req.valid('json'));
      if (!outcome.ok) throw new DomainError(reasons[outcome.reason]);
      return context.json(toResponse(outcome.comment), outcome.isNew ? 201 : 200);
    })
    .openapi(contract.listReplies, async (context) => {
      const { id } = context.req.valid('param');
      const page = found(await community.listReplies(context.get('viewer'), id, context.req.valid('query')));
      return context.json(toPageResponse({ ...page, items: page.items.map(toResponse) }), 200);
    })
    .openapi(contract.deleteComment, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!(await community.deleteComment(viewer, context.req.valid('param').id)))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    })
    .openapi(contract.reportComment, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'report', viewer.id);
      if (!(await community.reportComment(viewer, context.req.valid('param').id, context.req.valid('json'))))
        throw new DomainError('request/not-found');
      return context.body(null, 204);
    })
    .openapi(contract.switchComments, async (context) => {
      const { viewer } = context.get('loggedIn');
      await takeAttempt(parts, context, 'publicity', viewer.id);
      const { commentsDisabled } = context.req.valid('json');
      if (!(await studio.switchComments(viewer, context.req.valid('param').id, commentsDisabled)))
        throw new DomainError('request/not-found');
      return context.json({ commentsDisabled }, 200);
    });
}
