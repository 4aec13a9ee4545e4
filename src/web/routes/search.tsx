import { Link, useLocation } from 'react-router';
import { SearchTerm } from '#domain/search/forms.ts';
import { AudioRows } from '#web/catalogue/audio-list.tsx';
import { CardGrid } from '#web/catalogue/card-grid.tsx';
import { CategoryTile } from '#web/catalogue/category-tile.tsx';
import { withQuery } from '#web/catalogue/list-links.ts';
import { PlaylistCard } from '#web/catalogue/playlist-card.tsx';
import { Rail } from '#web/catalogue/rail.tsx';
import { SearchField } from '#web/catalogue/search-field.tsx';
import { Section } from '#web/catalogue/section.tsx';
import { VoiceCard } from '#web/catalogue/voice-card.tsx';
import { requestContext, siteContext } from '#web/context.ts';
import { formatCount, formatCountOf } from '#web/format.ts';
import { pageMeta } from '#web/page-meta.ts';
import { Chip } from '#web/ui/chip.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import type { Route } from './+types/search';

export { PageError as ErrorBoundary } from '#web/page-error.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  const { search, catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const term = SearchTerm.safeParse(new URL(request.url).searchParams.get('search') ?? '').data ?? '';
  const results = await search.search(viewer, term);
  const found = Object.values(results).some((group) => group.length > 0);
  return { term, results, ideas: found ? [] : await catalogue.listTags(viewer, { limit: 6 }) };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  const term = loaderData?.term ?? '';
  return pageMeta(
    args,
    loaderData && {
      title: term === '' ? 'Search' : `“${term}”`,
      description: 'Search audios, voices, categories and playlists.',
      index: 'no',
    },
  );
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { term, results, ideas } = loaderData;
  const { search } = useLocation();
  const groups = [
    { name: 'audios', label: 'Audios', count: results.audios.length },
    { name: 'voices', label: 'Voices', count: results.voices.length },
    { name: 'categories', label: 'Categories', count: results.categories.length },
    { name: 'playlists', label: 'Playlists', count: results.playlists.length },
  ].filter(({ count }) => count > 0);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const asked = new URLSearchParams(search).get('tab');
  const only = groups.find(({ name }) => name === asked)?.name;
  const shows = (name: string) => groups.some((group) => group.name === name) && (only ?? name) === name;

  if (term === '') {
    return (
      <div className="wrap">
        <h1 className="t-60 pt-6">Search</h1>
        <SearchField />
        <Ideas ideas={ideas} className="mt-4" />
      </div>
    );
  }
  if (total === 0) {
    return (
      <div className="wrap">
        <h1 className="t-60 pt-6 [overflow-wrap:anywhere]">“{term}”</h1>
        <EmptyState title="No results found" text="Check the spelling, or try a poet, a mood or a voice.">
          <Ideas ideas={ideas} className="justify-center" />
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="wrap">
      <p className="eyebrow pt-6">{formatCountOf(total, 'result')}</p>
      <h1 className="t-60 mt-1 [overflow-wrap:anywhere]">“{term}”</h1>
      <nav className="chips chips--scroll mt-6" aria-label="Kinds of results">
        {[{ name: undefined, label: 'All', count: total }, ...groups].map(({ name, label, count }) => (
          <Chip
            key={label}
            aria-current={name === only ? 'true' : undefined}
            render={<Link to={withQuery(search, { tab: name })} preventScrollReset />}
          >
            {label} <span className="num font-normal opacity-75">{formatCount(count)}</span>
          </Chip>
        ))}
      </nav>
      {shows('audios') && (
        <Section title="Audios" className="mt-10!">
          <AudioRows audios={results.audios} source="search" name={`“${term}”`} />
        </Section>
      )}
      {shows('voices') && (
        <Section title="Voices">
          <CardGrid columns="6">
            {results.voices.map((voice) => (
              <VoiceCard key={voice.id} voice={voice} source="search" look="grid" />
            ))}
          </CardGrid>
        </Section>
      )}
      {shows('categories') && (
        <Section title="Categories">
          <CardGrid columns="4">
            {results.categories.map((category) => (
              <CategoryTile key={category.id} category={category} source="search" />
            ))}
          </CardGrid>
        </Section>
      )}
      {shows('playlists') && (
        <Section title="Playlists">
          <Rail>
            {results.playlists.map((playlist) => (
              <PlaylistCard key={playlist.id} playlist={playlist} source="search" look="rail" />
            ))}
          </Rail>
        </Section>
      )}
    </div>
  );
}

function Ideas({ ideas, className }: { ideas: { slug: string; label: string }[]; className: string }) {
  if (ideas.length === 0) return null;
  return (
    <ul className={classNames('chips', className)} aria-label="Ideas">
      {ideas.map((tag) => (
        <li key={tag.slug}>
          <Chip render={<Link to={`/search?search=${encodeURIComponent(tag.label)}`} />}>{tag.label}</Chip>
        </li>
      ))}
    </ul>
  );
}
