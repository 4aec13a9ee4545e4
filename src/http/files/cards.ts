import { Hono } from 'hono';
import { voiceTypeLabels } from '#domain/catalogue/rules.ts';
import { formatReadTime, topicText } from '#domain/editorial/rules.ts';
import type { Card, Cards } from '#domain/gateways.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import type { Site } from '#domain/site.ts';
import { clipLength } from '../embed/clip-page.ts';
import { drawnPictures } from './drawn-pictures.ts';
import { formatDuration } from '#formats/durations.ts';
import { i18n } from '#i18n';
import { inAddressLanguage, inDrawnLanguage, inLanguages } from './address-language.ts';

/** `GET /cards/audio/bright-star.jpg`, and below `/de` in German: the preview image of a shared link. */
export function cardRoutes({ site, cards }: { site: Site; cards: Cards }): Hono {
  const app = new Hono();
  const answer = drawnPictures<Card & { siteName: string }>({
    draw: (card) => cards.draw(card),
    kept: 200,
    line: 100,
    cacheControl: 'public, max-age=3600',
  });

  app.on('GET', inLanguages('/cards/:kind/:file{[a-z0-9-]+\\.jpg}'), (context) =>
    inAddressLanguage(site.facts.languages, context, async () => {
      const [kind = '', file = ''] = [context.req.param('kind'), context.req.param('file')];
      const card = await inDrawnLanguage(() => findCard(site, kind, file.slice(0, -4)));
      return answer(context.req, card && { ...card, siteName: site.facts.name });
    }),
  );
  return app;
}

async function findCard(
  { catalogue, editorial, listening }: Site,
  kind: string,
  slug: string,
): Promise<Card | undefined> {
  switch (kind) {
    case 'audio': {
      const audio = await catalogue.findAudio(slug);
      return audio && card(audio.title, `${audio.voice.name} · ${length(audio.numberDuration)}`, audio.imageUrl);
    }
    case 'clip': {
      const clip = await listening.findClip(slug);
      return clip && card(clip.audio.title, `${clip.voice.name} · ${clipLength(clip)}`, clip.audio.imageUrl);
    }
    case 'creators': {
      const voice = await catalogue.findVoice(slug);
      return (
        voice &&
        card(voice.name, `${voiceType(voice.voiceTypeLabel)} · ${audioCount(voice.totalAudios)}`, voice.imageURL)
      );
    }
    case 'series': {
      const series = await catalogue.findSeries(slug);
      const by = series?.voice ? `${series.voice.name} · ` : '';
      return series && card(series.title, `${by}${audioCount(series.totalAudios)}`, series.imageUrl);
    }
    case 'playlists': {
      const playlist = await catalogue.findPlaylist(slug);
      return (
        playlist &&
        card(playlist.title, `${playlistWord()} · ${audioCount(playlist.totalAudios)}`, playlist.voiceImages[0])
      );
    }
    case 'categories': {
      const category = await catalogue.findCategory(slug);
      return (
        category && card(category.label, `${categoryWord()} · ${audioCount(category.totalAudios)}`, category.imageUrl)
      );
    }
    case 'blog': {
      const article = await editorial.findArticle(visitor, slug);
      return (
        article &&
        card(
          article.title,
          `${topicText(article.topic, article.topicLabel)} · ${formatReadTime(article.readTime)}`,
          article.imageUrl,
        )
      );
    }
    default:
      return undefined;
  }
}

function card(title: string, line: string, imageUrl: string | null | undefined): Card {
  return { title, line, imageKey: imageUrl ? imageUrl.slice(1) : null };
}

/** Without the seconds of a longer one. */
function length(seconds: number): string {
  return formatDuration(seconds < 60 ? Math.round(seconds) : 60 * Math.round(seconds / 60));
}

function audioCount(audios: number): string {
  return i18n._(
    /*i18n*/ { id: 'card.audios', message: '{audios, plural, one {# audio} other {# audios}}', values: { audios } },
  );
}

const playlistWord = () => i18n._(/*i18n*/ { id: 'card.playlist', message: 'Playlist' });
const categoryWord = () => i18n._(/*i18n*/ { id: 'card.category', message: 'Category' });

/** @param label as it is stored; one of the operator's own stays */
function voiceType(label: string): string {
  if (label === voiceTypeLabels.female) return i18n._(/*i18n*/ { id: 'card.female-voice', message: 'Female voice' });
  if (label === voiceTypeLabels.male) return i18n._(/*i18n*/ { id: 'card.male-voice', message: 'Male voice' });
  return label;
}
