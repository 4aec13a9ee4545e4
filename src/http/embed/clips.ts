import { type Context, Hono } from 'hono';
import type { Site } from '#domain/site.ts';
import { prefixOf } from '#formats/languages.ts';
import { language } from '#i18n';
import type { AgeEnv } from '../age/age-gate.ts';
import { errorResponse, refuseUnlessRead } from '../errors.ts';
import { inAddressLanguage, inLanguages } from '../files/address-language.ts';
import { type FileOptions, answerFile } from '../files/media.ts';
import { clipPage } from './clip-page.ts';
import { type ShellParts, openShell } from './open-shell.ts';

type Parts = Omit<ShellParts, 'site'> &
  FileOptions & {
    site: ShellParts['site'] & Pick<Site, 'listening'>;
  };

/** `GET /clip/{id}`: the page of a clip, with its picture, sound and card; `/clip/{id}/sound`: its file. */
export function clipRoutes({ site, blobs, assetsDir, onMissingFile }: Parts): Hono {
  const app = new Hono();
  const shell = openShell({ site, blobs, assetsDir });

  app.on('GET', inLanguages('/clip/:id'), (context) =>
    inAddressLanguage(site.facts.languages, context, async () => {
      const isAsked = (context as unknown as Context<AgeEnv>).get('ageMissing') !== undefined;
      const id = context.req.param('id') ?? '';
      const clip = await site.listening.findClip(id);
      const path = clip === undefined ? '/' : `/audio/${clip.audio.slug}?t=${Math.floor(clip.start)}`;
      const own = `${site.facts.url}${prefixOf(language(), site.facts.languages)}/clip/${id}`;
      const page = clipPage({ ...(await shell.open(context, path)), own, clip, isAsked });
      return shell.send(context, page, { isFramed: false, status: clip === undefined ? 404 : 200 });
    }),
  );

  app.get('/clip/:id/sound', async (context) => {
    const file = await site.listening.findClipSound(context.req.param('id'));
    if (file === undefined) return errorResponse('request/not-found');
    return answerFile(context, file, { blobs, ...(onMissingFile && { onMissingFile }) });
  });

  app.all('/clip/*', refuseUnlessRead);
  return app;
}
