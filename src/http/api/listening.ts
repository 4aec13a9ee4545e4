import { OpenAPIHono } from '@hono/zod-openapi';
import { contentSources } from '#domain/analytics/forms.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { playlistInSource } from '#domain/listening/play-sources.ts';
import { notedTime } from '#domain/listening/rules.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from '#api/found.ts';
import * as contract from './listening-contract.ts';
import { toPageResponse } from '#api/schemas.ts';

const playRefusals: Record<'not-found' | 'login-required' | 'subscription-required', ErrorCode> = {
  'not-found': 'request/not-found',
  'login-required': 'auth/login-required',
  'subscription-required': 'subscription/required',
};

/** Spec §7: plays, counters, positions and the listening history. */
export function listeningRoutes({ site: { library, listening }, trustProxy }: ApiParts) {
  /** After the end of an audio, the saved queue names the next one earlier than a report does. */
  async function playingNow(userId: string, { audioId, seconds }: { audioId: string; seconds: number | null }) {
    if (seconds !== null) return { audioId, seconds };
    const { list } = (await library.findQueue(userId)).queue;
    const next = list.find(({ id }) => id !== audioId)?.id ?? audioId;
    return { audioId: next, seconds: (await listening.findPlace(userId, next)) ?? 0 };
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.playAudio, async (context) => {
      const address = clientAddress(context, trustProxy);
      const { source, ...times } = context.req.valid('query');
      const known = playlistInSource(source) ?? contentSources.find((tag) => tag === source);
      // Plays keep no order, so even a small error of the clock is corrected: it would swallow a repeated play.
      const notedAt = notedTime(times, new Date(), 0);
      const { id } = context.req.valid('param');
      const play = await listening.playAudio(context.get('viewer'), id, address, known, notedAt);
      if (!play.ok) throw new DomainError(playRefusals[play.reason]);
      return context.json({ counted: play.counted, plays: play.plays }, 200);
    })
    .openapi(contract.findHistory, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
      const [history, playingElsewhere = null] = await Promise.all([
        listening.findHistory(viewer.id),
        listening.findPlayingElsewhere(viewer, sessionId),
      ]);
      return context.json({ ...history, playingElsewhere }, 200);
    })
    .openapi(contract.clearHistory, async (context) => {
      const { id } = context.get('loggedIn').viewer;
      await Promise.all([listening.clearHistory(id), library.forgetQueuePosition(id)]);
      return context.body(null, 204);
    })
    .openapi(contract.listHistory, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { items, nextCursor } = await listening.listHistory(viewer.id, context.req.valid('query'));
      const response = items.map((item) => ({ ...item, lastListenedAt: item.lastListenedAt.toISOString() }));
      return context.json(toPageResponse({ items: response, nextCursor }), 200);
    })
    .openapi(contract.removeFromHistory, async (context) => {
      const { id } = context.get('loggedIn').viewer;
      const audioId = context.req.valid('param').id;
      await Promise.all([listening.removeFromHistory(id, audioId), library.forgetQueuePosition(id, audioId)]);
      return context.body(null, 204);
    })
    .openapi(contract.increaseCounter, async (context) => {
      const { viewer } = context.get('loggedIn');
      const outcome = await listening.increaseCounter(viewer, context.req.valid('json'));
      if (!outcome.ok) throw new DomainError('request/not-found');
      return context.json({ counted: outcome.counted }, 200);
    })
    .openapi(contract.saveProgress, async (context) => {
      const { id, seconds, isPlaying, ...times } = context.req.valid('json');
      const { viewer, sessionId } = context.get('loggedIn');
      const notedAt = notedTime(times, new Date());
      const [saved, takenOver = false] = await Promise.all([
        listening.saveProgress(viewer.id, id, seconds, notedAt),
        isPlaying === undefined
          ? undefined
          : listening.notePlaying({ userId: viewer.id, sessionId, audioId: id, isPlaying, notedAt }),
      ]);
      return context.json({ seconds: found(saved), takenOver }, 200);
    })
    .openapi(contract.takeOverPlaying, async (context) => {
      const { viewer, sessionId } = context.get('loggedIn');
      const taken = await listening.takeOverPlaying(viewer, sessionId);
      return context.json({ playing: taken === undefined ? null : await playingNow(viewer.id, taken) }, 200);
    })
    .openapi(contract.removeProgress, async (context) => {
      const { id, ...times } = context.req.valid('json');
      await listening.removeProgress(context.get('loggedIn').viewer.id, id, notedTime(times, new Date()));
      return context.body(null, 204);
    })
    .openapi(contract.listRecentActivity, async (context) => {
      const items = await listening.listRecentActivity(context.get('loggedIn').viewer);
      return context.json({ items: items.map(({ audio, at }) => ({ audio, at: at.toISOString() })) }, 200);
    });
}
