import { OpenAPIHono } from '@hono/zod-openapi';
import { nameLines } from '#domain/catalogue/rules.ts';
import type { User } from '#domain/kernel/viewer.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { ChangedMeanwhile, DomainError } from '#domain/kernel/errors.ts';
import { hasStudio } from '#domain/studio/rules.ts';
import type { CoverResult } from '#domain/studio/audios/covers.ts';
import type { SaveResult } from '#domain/studio/audios/drafts.ts';
import type { ManagedResult } from '#domain/studio/audios/publishing.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { found } from './found.ts';
import * as contract from './studio-audios-contract.ts';

type Refusal = Extract<SaveResult | ManagedResult | CoverResult, { ok: false }>;
type Reason = Exclude<Refusal['reason'], 'conflict'>;

const reasons: Record<Reason, ErrorCode> = {
  'not-found': 'request/not-found',
  'slug-taken': 'audio/slug-taken',
  'unknown-category': 'audio/unknown-category',
  'unknown-series': 'audio/unknown-series',
  'not-a-picture': 'audio/not-a-picture',
  'no-picture': 'audio/not-a-picture',
  'bad-area': 'audio/bad-area',
  'mistimed-transcript': 'audio/mistimed-transcript',
  'is-preview': 'audio/is-preview',
  'not-published': 'request/not-found',
  'owners-only': 'studio/owners-only',
};

function mistimed(lines: number[]): string {
  const [have, them] = lines.length === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${nameLines(lines)} of the transcript ${have} wrong times. Nothing was published. Correct ${them}, then publish it again.`;
}

/** @throws DomainError for a refusal */
function done<Result extends { ok: true } | Refusal>(result: Result): Extract<Result, { ok: true }> {
  if (result.ok) return result as Extract<Result, { ok: true }>;
  const refusal: Refusal = result;
  if (refusal.reason === 'conflict') throw new ChangedMeanwhile('audio/changed-meanwhile', refusal.change);
  if (refusal.reason === 'mistimed-transcript')
    throw new DomainError('audio/mistimed-transcript', mistimed(refusal.lines));
  throw new DomainError(reasons[refusal.reason]);
}

/** Audios of the voices that the user manages; those of others answer not-found. */
export function studioAudioRoutes(parts: ApiParts) {
  const { studio } = parts.site;

  async function publicationOf(viewer: User, result: ManagedResult) {
    const { audio } = done(result);
    const { state, publishedAt, slug } = found(await studio.findAudioFacts(viewer, audio.id));
    return { state, publishedAt, slug };
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.listStudioAudios, async (context) => {
      const { viewer } = context.get('loggedIn');
      const voice = found(await studio.findVoice(viewer, context.req.valid('param').id));
      const page = await studio.listAudios(viewer, { ...context.req.valid('query'), voiceId: voice.id });
      const { newerCursor = null, olderCursor = null } = page;
      return context.json({ ...page, newerCursor, olderCursor }, 200);
    })
    .openapi(contract.actOnAudios, async (context) => {
      const { act, ids } = context.req.valid('json');
      return context.json(await studio.actOnAudios(context.get('loggedIn').viewer, ids, act), 200);
    })
    .openapi(contract.findStudioAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(found(await studio.findEditedAudio(viewer, context.req.valid('param').id)), 200);
    })
    .openapi(contract.saveStudioAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      const saved = await studio.saveAudio(viewer, context.req.valid('param').id, context.req.valid('json'));
      return context.json(done(saved), 200);
    })
    .openapi(contract.publishStudioChanges, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { version } = context.req.valid('json');
      return context.json(done(await studio.publishChanges(viewer, context.req.valid('param').id, version)), 200);
    })
    .openapi(contract.discardStudioChanges, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { version } = context.req.valid('json');
      return context.json(done(await studio.discardChanges(viewer, context.req.valid('param').id, version)), 200);
    })
    .openapi(contract.setStudioCover, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { version, choice: asked } = context.req.valid('json');
      const choice = 'picture' in asked ? { picture: new Uint8Array(Buffer.from(asked.picture, 'base64')) } : asked;
      return context.json(
        done(await studio.setAudioCover(viewer, context.req.valid('param').id, { version, choice })),
        200,
      );
    })
    .openapi(contract.setPublication, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const publication = context.req.valid('json');
      if (publication.state === 'unpublished')
        return context.json(await publicationOf(viewer, await studio.unpublishAudio(viewer, id)), 200);
      const at = publication.state === 'scheduled' ? new Date(publication.at) : undefined;
      if (at !== undefined) {
        found(await studio.findAudioFacts(viewer, id));
        if (at <= new Date()) throw new DomainError('audio/in-the-past');
        // PostgreSQL has no later ones.
        if (at.getUTCFullYear() > 9000)
          throw new DomainError('audio/in-the-past', 'Choose a time before the year 9001.');
      }
      return context.json(await publicationOf(viewer, await studio.publishAudio(viewer, id, at)), 200);
    })
    .openapi(contract.deleteStudioAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      const result = await studio.deleteAudio(viewer, context.req.valid('param').id);
      return context.json(await publicationOf(viewer, result), 200);
    })
    .openapi(contract.restoreStudioAudio, async (context) => {
      const { viewer } = context.get('loggedIn');
      const result = await studio.undeleteAudio(viewer, context.req.valid('param').id);
      return context.json(await publicationOf(viewer, result), 200);
    })
    .openapi(contract.suggestStudioTags, async (context) => {
      const { viewer } = context.get('loggedIn');
      if (!hasStudio(viewer) && viewer.isAdmin !== true) throw new DomainError('request/not-found');
      return context.json({ items: await studio.suggestTags(context.req.valid('query').q) }, 200);
    });
}
