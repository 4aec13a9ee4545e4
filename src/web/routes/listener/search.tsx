import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link, useLocation } from 'react-router';
import { Suspense } from 'react';
import type { AudioFilter } from '#domain/catalogue/forms.ts';
import { SearchPage, SearchTerm } from '#domain/search/forms.ts';
import { AudioRows } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { lazyParts } from '../../catalogue/lazy-part.ts';
import { readListQuery } from '../../catalogue/lists/list-query.ts';
import { ListNote } from '../../catalogue/list-note.tsx';
import { withQuery } from '../../catalogue/list-links.ts';
import { SearchField } from '../../search/search-field.tsx';
import { Section } from '../../catalogue/cards/section.tsx';
import { requestContext, siteContext } from '../../context.ts';
import { formatCount } from '#formats/numbers.ts';
import { pageMeta } from '../../page-meta.ts';
import { groupLabels, groupNames, ResultGroup } from '../../search/result-groups.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Route } from './+types/search';

const part = lazyParts(() => import('../../search/search-parts.tsx'));
const FilteredList = part('FilteredList');
const Pages = part('Pages');

/** Hits per group: next to the other groups, and on its own page. */
const perPart = 6;
const perPage = 24;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { search, catalogue } = context.get(siteContext);
  const { viewer, address } = context.get(requestContext);
  const parameters = new URL(request.url).searchParams;
  const term = SearchTerm.parse(parameters.get('search') ?? '');
  const { filter } = readListQuery(request);
  const isFiltered = Object.keys(filter).length > 0;
  // Only audios have what is filtered by.
  const only = isFiltered ? 'audios' : groupNames.find((name) => name === parameters.get('tab'));
  // Pages count from 1 in the address, from 0 in the API.
  const page = only === undefined ? 0 : Math.max(0, (SearchPage.safeParse(parameters.get('page') ?? 1).data ?? 1) - 1);
  const query = {
    term,
    filter,
    groups: only === undefined ? undefined : [only],
    page,
    limit: only === undefined ? perPart : perPage,
  };
  const count = (chosen: AudioFilter) => search.countFilters(viewer, { term, filter: chosen });
  const [results, { filters }] = await Promise.all([
    search.findResults(viewer, query, address),
    loadFilters(context, request, count, { filter, cursor: undefined }),
  ]);
  const { total: ofAudios } = results.audios;
  const total = isFiltered
    ? // When only similar words are left, nothing of what was looked for is.
      (filters?.counts.total ?? ofAudios)
    : groupNames.reduce((sum, name) => sum + results[name].total, 0);
  const [ideas, popular] = await Promise.all([
    total > 0 || isFiltered ? [] : catalogue.listTags(viewer, { limit: 6 }),
    term === '' ? catalogue.listAudios(viewer, { sort: 'popular', limit: perPart }) : undefined,
  ]);
  const noted = only === undefined || only === 'audios' ? noteLanguages(context, request) : {};
  const help = search.helpFor(term);
  const rest = { ideas, popular: popular?.items ?? [], ...noted };
  const list = (only === undefined ? ofAudios > 0 : only === 'audios') && {
    filters,
    place: `query=${encodeURIComponent(term)}`,
    counts: 'search',
    isEmpty: total === 0,
  };
  return { term, help, only, isFiltered, list, page, results, total, ...rest };
}

export function meta({ loaderData, ...args }: Route.MetaArgs) {
  const term = loaderData?.term ?? '';
  return pageMeta(
    args,
    loaderData && {
      title: term === '' ? t`Search` : t`“${term}”`,
      description: t`Search audios, creators, categories, series and playlists.`,
      index: 'no',
    },
  );
}

export default function Search({ loaderData }: Route.ComponentProps) {
  const { term, help, only, isFiltered, list, page, results, total, ideas, popular, note } = loaderData;
  const { search } = useLocation();
  if (term === '') {
    return (
      <div className="wrap">
        <h1 className="text-60 pt-6">
          <Trans>Search</Trans>
        </h1>
        <SearchField />
        <Ideas ideas={ideas} className="mt-4" />
        {popular.length > 0 && (
          <Section title={t`Popular audios`}>
            <ListNote note={note} className="mb-4" />
            <AudioRows audios={popular} source="search" name={t`Popular audios`} />
          </Section>
        )}
      </div>
    );
  }
  const quoted = t`“${term}”`;
  if (help !== undefined)
    return (
      <div className="wrap">
        <h1 className="text-60 pt-6 [overflow-wrap:anywhere]">{quoted}</h1>
        <EmptyState title={t`This site does not search for this`} text={help || undefined} />
      </div>
    );
  if (total === 0 && !isFiltered) {
    return (
      <div className="wrap">
        <h1 className="text-60 pt-6 [overflow-wrap:anywhere]">{quoted}</h1>
        <ListNote note={note} className="mt-2" />
        <EmptyState title={t`No results found`} text={t`Check the spelling, or try a poet, a mood or a voice.`}>
          <Ideas ideas={ideas} className="justify-center" />
        </EmptyState>
      </div>
    );
  }
  // Groups with an exact name come first: a username typed in full must not be below loose matches.
  const groups = groupNames
    .filter((name) => results[name].total > 0)
    .toSorted((a, b) => Number(results[b].hasExactName) - Number(results[a].hasExactName));
  const shown = only === undefined ? groups : [only];
  const tabs = [
    { name: undefined, label: t`All`, count: total },
    ...groups.map((name) => ({ name, label: groupLabels[name](), count: results[name].total })),
  ];
  const sections = (
    <>
      {shown.map((name, index) => (
        <Section
          key={name}
          title={groupLabels[name]()}
          className={index === 0 ? 'mt-10' : undefined}
          more={
            only === undefined && results[name].total > results[name].items.length
              ? {
                  label: allOf(formatCount(results[name].total)),
                  to: withQuery(search, { tab: name, page: undefined }),
                }
              : undefined
          }
        >
          {results[name].items.length === 0 ? (
            <p className="text-muted">{page === 0 ? t`No results found` : t`This page does not exist.`}</p>
          ) : (
            <ResultGroup
              name={name}
              results={results}
              listName={quoted}
              as={only === undefined ? 'part' : 'page'}
              before={page * perPage}
            />
          )}
        </Section>
      ))}
      {only !== undefined && (
        <Suspense>
          <Pages page={page} total={results[only].total} size={perPage} />
        </Suspense>
      )}
    </>
  );
  return (
    <div className="wrap">
      <p className="eyebrow pt-6">{plural(total, { one: '# result', other: '# results' })}</p>
      <h1 className="text-60 mt-1 [overflow-wrap:anywhere]">{quoted}</h1>
      <ListNote note={note} className="mt-2" />
      {!isFiltered && (
        <nav className="chips chips--scroll mt-6" aria-label={t`Kinds of results`}>
          {tabs.map(({ name, label, count }) => (
            <Chip
              key={label}
              aria-current={name === only ? 'true' : undefined}
              render={<Link to={withQuery(search, { tab: name, page: undefined })} preventScrollReset />}
            >
              {label} <span className="tabular-nums font-normal opacity-75">{formatCount(count)}</span>
            </Chip>
          ))}
        </nav>
      )}
      {list ? (
        <Suspense fallback={sections}>
          <FilteredList {...list}>{sections}</FilteredList>
        </Suspense>
      ) : (
        sections
      )}
    </div>
  );
}

const allOf = (count: string) => t`All ${count}`;

function Ideas({ ideas, className }: { ideas: { slug: string; label: string }[]; className: string }) {
  if (ideas.length === 0) return null;
  return (
    <ul className={classNames('chips', className)} aria-label={t`Ideas`}>
      {ideas.map((tag) => (
        <li key={tag.slug}>
          <Chip render={<Link to={`/search?search=${encodeURIComponent(tag.label)}`} />}>{tag.label}</Chip>
        </li>
      ))}
    </ul>
  );
}
