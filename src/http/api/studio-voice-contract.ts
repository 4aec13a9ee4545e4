import { createRoute, z } from '@hono/zod-openapi';
import { VoiceProfileForm, VoiceProfileSeen } from '#domain/catalogue/forms.ts';
import { isPlain } from '#domain/kernel/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { creatorsOnly, inOrder, limitAccount, personal } from './guards.ts';
import { AvatarColor, ErrorResponse, failures, json, jsonBody, ownId, refusals as ownRefusals } from '#api/schemas.ts';
import { pictureBodyBytes, PictureForm } from './studio-pictures.ts';

const own = inOrder(personal, creatorsOnly, limitAccount('studio voice', 120));
const refusals = {
  ...ownRefusals,
  403: json(ErrorResponse, 'For owners and editors of a creator only'),
  413: json(ErrorResponse, 'Too large'),
  ...failures,
} as const;
const personRefusals = { ...refusals, 409: json(ErrorResponse, 'The last owner, or no room for more') } as const;

/** Few per minute, because the answer reveals whether an account has this email. */
const ownPeople = inOrder(personal, creatorsOnly, limitAccount('studio people', 20), limitBody(4 * 1024));

const PersonResponse = z
  .object({
    id: z.uuid(),
    username: z.string().nullable(),
    icon: z.string().nullable(),
    color: AvatarColor,
    role: z.enum(['owner', 'editor']),
    since: z.iso.datetime(),
  })
  .openapi('VoicePerson');

export const editVoice = createRoute({
  method: 'patch',
  path: '/studio/voices/{id}',
  middleware: inOrder(...own, limitBody(pictureBodyBytes)),
  tags: ['Studio'],
  summary: 'Changes a creator’s page; old addresses go on',
  request: {
    params: ownId,
    body: jsonBody(VoiceProfileForm.extend({ picture: PictureForm, before: VoiceProfileSeen.optional() })),
  },
  responses: {
    200: json(z.object({ slug: z.string() }), 'Its address'),
    ...refusals,
    409: json(ErrorResponse, 'The address is another creator’s, or somebody changed the page meanwhile'),
  },
});

export const listPeople = createRoute({
  method: 'get',
  path: '/studio/voices/{id}/people',
  middleware: own,
  tags: ['Studio'],
  summary: 'Owners and editors of a voice',
  request: { params: ownId },
  responses: { 200: json(z.object({ items: z.array(PersonResponse) }), 'People'), ...ownRefusals, ...failures },
});

export const setPerson = createRoute({
  method: 'put',
  path: '/studio/voices/{id}/people',
  middleware: ownPeople,
  tags: ['Studio'],
  summary: 'Adds somebody to a voice, or changes their role; for owners',
  request: {
    params: ownId,
    body: jsonBody(
      z.object({
        name: z.string().trim().min(1).max(320).refine(isPlain).describe('Username or email'),
        role: z.enum(['owner', 'editor']),
      }),
    ),
  },
  responses: { 204: { description: 'Done' }, ...personRefusals },
});

export const removePerson = createRoute({
  method: 'delete',
  path: '/studio/voices/{id}/people/{userId}',
  middleware: own,
  tags: ['Studio'],
  summary: 'Removes a user from a voice; for owners, and for editors who leave',
  request: {
    params: z.object({
      id: ownId.shape.id,
      userId: z
        .uuid()
        .toLowerCase()
        .openapi({ param: { name: 'userId', in: 'path' } }),
    }),
  },
  responses: { 204: { description: 'Removed' }, ...personRefusals },
});
