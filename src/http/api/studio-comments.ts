import { OpenAPIHono } from '@hono/zod-openapi';
import type { VoiceComment } from '#domain/community/voice-comments.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import { toPageResponse } from '#api/schemas.ts';
import * as contract from './studio-comments-contract.ts';

const toResponse = (comment: VoiceComment) => ({ ...comment, createdAt: comment.createdAt.toISOString() });

/** Calls for creators about the comments on their audios. */
export function studioCommentRoutes({ site }: ApiParts) {
  const { community } = site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listVoiceComments, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const page = found(await community.listVoiceComments(viewer, id, context.req.valid('query')));
      const items = page.items.map((thread) => ({ ...toResponse(thread), replies: thread.replies.map(toResponse) }));
      return context.json(toPageResponse({ ...page, items }), 200);
    })
    .openapi(contract.hideComment, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { isHidden } = context.req.valid('json');
      found(await community.setCommentHidden(viewer, context.req.valid('param').id, isHidden));
      return context.json({ isHidden }, 200);
    })
    .openapi(contract.setVoiceCommenters, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { commenters } = context.req.valid('json');
      if (!(await community.setVoiceCommenters(viewer, context.req.valid('param').id, commenters)))
        throw new DomainError('request/not-found');
      return context.json({ commenters }, 200);
    })
    .openapi(contract.setHoldsLinks, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { holdsLinks } = context.req.valid('json');
      if (!(await community.setHoldsLinks(viewer, context.req.valid('param').id, holdsLinks)))
        throw new DomainError('request/not-found');
      return context.json({ holdsLinks }, 200);
    })
    .openapi(contract.listVoiceBlocks, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const page = found(await community.listVoiceBlocks(viewer, id, context.req.valid('query')));
      const items = page.items.map((user) => ({ ...user, blockedAt: user.blockedAt.toISOString() }));
      return context.json(toPageResponse({ ...page, items }), 200);
    })
    .openapi(contract.setVoiceBlock, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id, userId } = context.req.valid('param');
      const { isBlocked } = context.req.valid('json');
      const outcome = await community.setVoiceBlock(viewer, id, userId, isBlocked);
      if (!outcome.ok) throw new DomainError(outcome.reason === 'own' ? 'voice/is-member' : 'request/not-found');
      return context.json({ isBlocked }, 200);
    });
}
