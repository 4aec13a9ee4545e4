import { z } from '@hono/zod-openapi';
import { ClipForm } from '#domain/listening/clips/forms.ts';
import { clipStates } from '#domain/listening/clips/tables.ts';
import type { Site } from '#domain/site.ts';
import { call, userCall } from '../call.ts';
import { idOrSlug } from '../schemas.ts';

const ClipResponse = z
  .object({
    id: z.uuid(),
    state: z.enum(clipStates).describe('`waiting`: it is cut within seconds; its page says so until then'),
    url: z.url().describe('Its page'),
  })
  .openapi('Clip');

const answer = ({ facts }: Pick<Site, 'facts'>, { id, state }: { id: string; state: (typeof clipStates)[number] }) => ({
  id,
  state,
  url: `${facts.url}/clip/${id}`,
});

export const createClip = userCall({
  post: '/audios/{id}/clips',
  about: 'Cuts up to a minute out of an audio that everyone may hear; the same seconds are the same clip',
  params: idOrSlug,
  input: ClipForm,
  output: ClipResponse,
  status: 202,
  attempt: 'clip',
  errors: ['site/feature-off'],
  refuses: {
    'not-free': 'clip/not-free',
    'not-allowed': 'clip/not-allowed',
    'too-short': 'request/invalid',
  },
  async act({ site, viewer, id, input }) {
    const made = await site.listening.createClip(viewer.id, id, input);
    return made.ok ? answer(site, made.clip) : made;
  },
});

export const findClip = call({
  get: '/clips/{id}',
  about: 'Whether a clip is cut, and still there',
  output: ClipResponse,
  cache: 'private, no-store',
  async act({ site, id }) {
    const clip = await site.listening.findClip(id);
    return clip && answer(site, clip);
  },
});
