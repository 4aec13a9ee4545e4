import { type Context, Hono } from 'hono';
import type { Audio } from '#domain/catalogue/audios.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import type { EmbedPart } from '#embed/embed-data.ts';
import type { AgeEnv } from '../age/age-gate.ts';
import { refuseUnlessRead } from '../errors.ts';
import { inAddressLanguage, inLanguages } from '../files/address-language.ts';
import { type Frame, framePage } from './frame-page.ts';
import { type ShellParts, openShell } from './open-shell.ts';

type Parts = Omit<ShellParts, 'site'> & { site: ShellParts['site'] & Pick<Site, 'catalogue' | 'isOn'> };

/** `missing` with the path of the site to open instead; `closed`: not for everyone. */
export type Found =
  | { is: 'open'; path: string; frame: Frame }
  | { is: 'closed'; path: string }
  | { is: 'missing'; path: string };

/** A frame lists no more of a series; the page of the series has them all. */
const mostParts = 50;

/**
 * `GET /embed/audio/{slug}` and `/embed/series/{slug}`: the only pages that other sites may show in a frame. They are the
 * same for everybody: they read no cookie and set none. Visitors of whom a rule of age still asks something get a link to
 * the site, where they can answer.
 */
export function frameRoutes({ site, blobs, assetsDir }: Parts): Hono {
  const app = new Hono();
  const shell = openShell({ site, blobs, assetsDir });

  for (const kind of ['audio', 'series'] as const)
    app.on('GET', inLanguages(`/embed/${kind}/:slug`), (context) =>
      inAddressLanguage(site.facts.languages, context, async () => {
        const isAsked = (context as unknown as Context<AgeEnv>).get('ageMissing') !== undefined;
        const found = await findFrame(site, kind, context.req.param('slug') ?? '');
        const page = framePage({
          ...(await shell.open(context, found.path)),
          content: found.is === 'open' && !isAsked ? found.frame : kind,
        });
        return shell.send(context, page, { isFramed: true, status: found.is === 'missing' ? 404 : 200 });
      }),
    );

  app.all('/embed/*', refuseUnlessRead);
  return app;
}

/** By slug, former slug or id. */
export async function findFrame(
  { catalogue, isOn }: Pick<Site, 'catalogue' | 'isOn'>,
  kind: 'audio' | 'series',
  slug: string,
): Promise<Found> {
  const missing = { is: 'missing', path: '/' } as const;
  if (!isOn('embeds')) return missing;
  if (kind === 'audio') {
    const audio = await catalogue.findSharedAudio(slug);
    if (audio === undefined) return missing;
    const path = `/audio/${audio.slug}`;
    if (!audio.isFree) return { is: 'closed', path };
    const { title, imageUrl, voice } = audio;
    const frame = { title, author: voice.name, imageUrl, language: audio.language, hasParts: false };
    return { is: 'open', path, frame: { ...frame, parts: [await toPart(catalogue, audio)] } };
  }
  const series = await catalogue.findSeries(slug);
  if (series === undefined) return missing;
  const path = `/series/${series.slug}`;
  const { items } = await catalogue.listSeriesAudios(visitor, series.id, { limit: mostParts });
  const free = items.filter(({ isFree }) => isFree);
  if (free.length === 0) return { is: 'closed', path };
  const { title, voice } = series;
  const imageUrl = series.imageUrl ?? free[0]?.imageUrl ?? null;
  const parts = await Promise.all(free.map((audio) => toPart(catalogue, audio)));
  return { is: 'open', path, frame: { title, author: voice?.name ?? '', imageUrl, hasParts: true, parts } };
}

async function toPart(
  catalogue: Pick<Site['catalogue'], 'findWaveform'>,
  { id, title, voice, numberDuration, audioFileUrl }: Audio,
): Promise<EmbedPart> {
  const bars = (await catalogue.findWaveform(id)) ?? null;
  return { id, title, author: voice.name, seconds: numberDuration, src: audioFileUrl, bars };
}
