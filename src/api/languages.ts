import { z } from '@hono/zod-openapi';
import { ListeningInput } from '#domain/identity/forms.ts';
import { call, callBy } from './call.ts';

const Listening = z
  .object({
    listensTo: z.array(z.string()).nullable().describe('Primary subtags, A–Z; null: all languages'),
    hidesOtherComments: z.boolean().describe('Comments in other languages are not shown'),
  })
  .openapi('Listening');

const userCall = callBy('user', { limit: { kind: 'languages', perMinute: 120 }, maxBytes: 4 * 1024 });

export const listLanguages = call({
  get: '/languages',
  about: 'The languages of the audios',
  output: z.object({
    items: z
      .array(
        z
          .object({
            language: z.string().describe('Primary subtag (BCP 47); `zxx`: no words').meta({ example: 'pt' }),
            audios: z.number(),
          })
          .openapi('LanguageCount'),
      )
      .describe('Those with the most audios first'),
  }),
  act: async ({ site }) => ({ items: await site.catalogue.countLanguages() }),
});

export const findListening = userCall({
  get: '/user/languages',
  about: 'The languages that the user listens to',
  output: Listening,
  act: ({ session: { viewer } }) => ({
    listensTo: viewer.listensTo ? [...viewer.listensTo] : null,
    hidesOtherComments: viewer.readsOnly !== undefined,
  }),
});

export const saveListening = userCall({
  put: '/user/languages',
  about: 'Chooses the languages that the user listens to: in lists, search, feeds and news, on every device',
  input: ListeningInput,
  output: Listening,
  sameSite: true,
  async act({ site, viewer, input }) {
    await site.identity.savePreferences(viewer.id, input);
    return input;
  },
});
