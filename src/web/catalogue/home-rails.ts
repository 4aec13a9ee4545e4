import type { AudioItem } from '#domain/catalogue/audios.ts';
import { audioCards } from '#web/list-items.ts';
import type { Viewer } from '#domain/kernel/viewer.ts';
import type { Rail } from '#domain/look/forms.ts';
import type { Site } from '#domain/site.ts';

/** A rail of Home in the operator's order. `chosen` is set for rails of one category, playlist, series or tag. */
export type HomeRail = {
  kind: Rail['kind'];
  title: string | null;
  chosen?: { label: string; to: string; audios: AudioItem[] };
};

const max = 12;

/** The rails in the operator's order; undefined: the default. Deleted and empty ones are omitted. */
export async function loadHomeRails(site: Site, viewer: Viewer): Promise<HomeRail[] | undefined> {
  const rails = site.look.rails(viewer.kind === 'visitor' ? 'visitors' : 'listeners');
  if (rails === null) return undefined;
  const shown = await Promise.all(
    rails.map(async ({ kind, slug, title }): Promise<HomeRail | undefined> => {
      if (slug === null) return { kind, title };
      const chosen = await findChosen(site, viewer, kind, slug);
      return chosen && chosen.audios.length > 0 ? { kind, title, chosen } : undefined;
    }),
  );
  return shown.filter((rail) => rail !== undefined);
}

async function findChosen(
  { catalogue }: Site,
  viewer: Viewer,
  kind: Rail['kind'],
  slug: string,
): Promise<HomeRail['chosen'] | undefined> {
  if (kind === 'category') {
    const category = await catalogue.findCategory(slug);
    if (category === undefined) return undefined;
    const { items } = await catalogue.listAudios(viewer, { categoryId: category.id, limit: max });
    return { label: category.label, to: `/categories/${category.slug}`, audios: audioCards.list(items) };
  }
  if (kind === 'playlist') {
    const playlist = await catalogue.findPlaylist(slug);
    if (playlist === undefined) return undefined;
    const { items } = await catalogue.listPlaylistAudios(viewer, playlist.id, { limit: max });
    return { label: playlist.title, to: `/playlists/${playlist.slug}`, audios: audioCards.list(items) };
  }
  if (kind === 'one-series') {
    const series = await catalogue.findSeries(slug);
    if (series === undefined) return undefined;
    const { items } = await catalogue.listSeriesAudios(viewer, series.id, { limit: max });
    return { label: series.title, to: `/series/${series.slug}`, audios: audioCards.list(items) };
  }
  const { items } = await catalogue.listAudios(viewer, { filter: { tag: [slug] }, limit: max });
  return { label: slug.replaceAll('-', ' '), to: `/audios?tag=${slug}`, audios: audioCards.list(items) };
}
