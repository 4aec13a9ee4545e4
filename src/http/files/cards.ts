import { Hono } from 'hono';
import { formatReadTime } from '#domain/editorial/rules.ts';
import type { Card, Cards } from '#domain/gateways.ts';
import { visitor } from '#domain/kernel/viewer.ts';
import { countOf } from '#formats/numbers.ts';
import type { Site } from '#domain/site.ts';
import { drawnPictures } from './drawn-pictures.ts';
import { sourceLanguage } from '#formats/languages.ts';
import { inLanguage } from '#i18n';

/** `GET /cards/audio/bright-star.jpg`: the preview image of a shared link. */
export function cardRoutes({ site, cards }: { site: Site; cards: Cards }): Hono {
  const app = new Hono();
  const answer = drawnPictures<Card & { siteName: string }>({
    draw: (card) => cards.draw(card),
    kept: 200,
    line: 100,
    cacheControl: 'public, max-age=3600',
  });

  app.get('/cards/:kind/:file{[a-z0-9-]+\\.jpg}', async ({ req }) => {
    const file = req.param('file').slice(0, -4);
    // All readers get the same file.
    const card = await inLanguage(sourceLanguage, () => findCard(site, req.param('kind'), file));
    return answer(req, card && { ...card, siteName: site.facts.name });
  });
  return app;
}

async function findCard({ catalogue, editorial }: Site, kind: string, slug: string): Promise<Card | undefined> {
  switch (kind) {
    case 'audio': {
      const audio = await catalogue.findAudio(slug);
      return audio && card(audio.title, `${audio.voice.name} · ${minutes(audio.numberDuration)}`, audio.imageUrl);
    }
    case 'creators': {
      const voice = await catalogue.findVoice(slug);
      return (
        voice && card(voice.name, `${voice.voiceTypeLabel} · ${countOf(voice.totalAudios, 'audio')}`, voice.imageURL)
      );
    }
    case 'series': {
      const series = await catalogue.findSeries(slug);
      const by = series?.voice ? `${series.voice.name} · ` : '';
      return series && card(series.title, `${by}${countOf(series.totalAudios, 'audio')}`, series.imageUrl);
    }
    case 'playlists': {
      const playlist = await catalogue.findPlaylist(slug);
      return (
        playlist &&
        card(playlist.title, `Playlist · ${countOf(playlist.totalAudios, 'audio')}`, playlist.voiceImages[0])
      );
    }
    case 'categories': {
      const category = await catalogue.findCategory(slug);
      return (
        category && card(category.label, `Category · ${countOf(category.totalAudios, 'audio')}`, category.imageUrl)
      );
    }
    case 'blog': {
      const article = await editorial.findArticle(visitor, slug);
      return (
        article && card(article.title, `${article.topicLabel} · ${formatReadTime(article.readTime)}`, article.imageUrl)
      );
    }
    default:
      return undefined;
  }
}

function card(title: string, line: string, imageUrl: string | null | undefined): Card {
  return { title, line, imageKey: imageUrl ? imageUrl.slice(1) : null };
}

function minutes(seconds: number): string {
  return seconds < 60 ? `${Math.round(seconds)} sec` : `${Math.round(seconds / 60)} min`;
}
