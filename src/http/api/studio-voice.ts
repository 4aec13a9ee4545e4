import { OpenAPIHono } from '@hono/zod-openapi';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { canManageVoice } from '#domain/studio/rules.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { toPicture } from './studio-pictures.ts';
import * as contract from './studio-voice-contract.ts';

const profileReasons: Record<'not-found' | 'not-a-picture' | 'slug-taken' | 'unknown-series', ErrorCode> = {
  'not-found': 'request/not-found',
  'not-a-picture': 'picture/unreadable',
  'slug-taken': 'voice/address-taken',
  'unknown-series': 'request/invalid',
};

const personReasons: Record<'not-found' | 'no-user' | 'last-owner' | 'full', ErrorCode> = {
  'not-found': 'request/not-found',
  'no-user': 'voice/no-such-user',
  'last-owner': 'voice/last-owner',
  full: 'library/full',
};

/** A creator's own page, and the people who may change it. */
export function studioVoiceRoutes({ site }: ApiParts) {
  const { studio } = site;
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.editVoice, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { picture, before: seen, ...edit } = context.req.valid('json');
      const { id } = context.req.valid('param');
      const outcome = await studio.editProfile(viewer, id, edit, { picture: toPicture(picture), seen });
      if (!outcome.ok) throw new DomainError(profileReasons[outcome.reason]);
      return context.json({ slug: outcome.slug }, 200);
    })
    .openapi(contract.listPeople, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      if (!canManageVoice(viewer, id)) throw new DomainError('request/not-found');
      const people = await studio.listPeople(id);
      return context.json({ items: people.map((one) => ({ ...one, since: one.since.toISOString() })) }, 200);
    })
    .openapi(contract.setPerson, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { name, role } = context.req.valid('json');
      const outcome = await studio.setPerson(viewer, context.req.valid('param').id, name, role);
      if (!outcome.ok) throw new DomainError(personReasons[outcome.reason]);
      return context.body(null, 204);
    })
    .openapi(contract.removePerson, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id, userId } = context.req.valid('param');
      const outcome = await studio.removePerson(viewer, id, userId);
      if (!outcome.ok) throw new DomainError(personReasons[outcome.reason]);
      return context.body(null, 204);
    });
}
