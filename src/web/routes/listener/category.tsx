import { plural, t } from '@lingui/core/macro';
import type { CSSProperties } from 'react';
import { href, Link } from 'react-router';
import { AudioList } from '../../catalogue/audio-list.tsx';
import { noteLanguages } from '../../catalogue/chosen-languages.ts';
import { FavoriteButton } from '../../catalogue/favorite-button.tsx';
import { FilteredList } from '../../catalogue/filters/filtered-list.tsx';
import { loadFilters } from '../../catalogue/filters/load-filters.ts';
import { pageSize, readListQuery, restOf } from '../../catalogue/lists/list-query.ts';
import { audioRows } from '../../list-items.ts';
import { requestContext, siteContext } from '../../context.ts';
import { formatDuration } from '#formats/durations.ts';
import { PlayAll } from '../../listening/play-button.tsx';
import { breadcrumbs, metaOf } from '../../page-meta.ts';
import { orBadRequest, orNotFound } from '../../route-errors.ts';
import { Picture } from '../../ui/images/image.tsx';
import type { Route } from './+types/category';
import '#web/catalogue/hero.css';

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { catalogue } = context.get(siteContext);
  const { viewer } = context.get(requestContext);
  const category = orNotFound(await catalogue.findCategory(params.slug));
  const query = readListQuery(request);
  const sort = query.sort ?? 'popular';
  const [page, sum, filters] = await Promise.all([
    orBadRequest(catalogue.listAudios(viewer, { categoryId: category.id, ...query, sort, limit: pageSize })),
    catalogue.sumAudios(viewer, { categoryId: category.id, filter: query.filter }),
    loadFilters(context, request, { categoryId: category.id }, query),
  ]);
  return {
    category,
    page: audioRows.page(page),
    sum,
    ...noteLanguages(context, request, sum.inOtherLanguages),
    ...filters,
    more: restOf(`/v1/api/categories/${category.slug}/audios`, { ...query, sort }),
  };
}

export const meta = metaOf(({ category, sum }: Route.ComponentProps['loaderData']) => {
  const path = href('/categories/:slug', { slug: category.slug });
  const { total } = sum;
  const duration = formatDuration(sum.seconds);
  return {
    title: category.label,
    description:
      category.description === '' && total > 0
        ? t`${plural(total, { one: '# audio', other: '# audios' })}, ${duration} in total.`
        : category.description,
    path,
    imageUrl: category.imageUrl,
    structuredData: [breadcrumbs([t`Categories`, href('/categories')], [category.label, path])],
  };
});

export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, page, sum, note, filters, more } = loaderData;
  const { total } = sum;
  return (
    <div className="wrap">
      <section
        className="category-hero"
        data-theme="dark"
        aria-label={category.label}
        style={{ '--cathero': ground(category.color) } as CSSProperties}
      >
        {category.imageUrl && (
          <Picture
            imageUrl={category.imageUrl}
            width={845}
            height={528}
            sizes="(max-width: 767px) 100vw, 845px"
            priority="high"
          />
        )}
        <div>
          <p className="eyebrow mb-2 text-[#e4dbe8]">
            <Link to={href('/categories')}>{t`Categories`}</Link>
          </p>
          <h1 className="text-84 max-md:text-[3rem]">{category.label}</h1>
          {category.description !== '' && (
            <p dir="auto" className="mt-3 max-w-[40ch] leading-[1.55] text-balance text-[#efe4e2]">
              {category.description}
            </p>
          )}
          <div className="acts mt-5 flex-wrap">
            <PlayAll
              audios={page.items}
              source="category"
              rest={{ path: more, cursor: page.nextCursor }}
              listName={category.label}
            />
            <FavoriteButton contentTypeId="category" name={category.label} subjectId={category.id} source="category" />
            <span className="meta tabular-nums flex-nowrap whitespace-nowrap text-[#e4dbe8]">
              {plural(total, { one: '# audio', other: '# audios' })}
              <span className="dot">{formatDuration(sum.seconds)}</span>
            </span>
          </div>
        </div>
      </section>
      <FilteredList
        filters={filters}
        place={`category=${category.slug}`}
        placeName={category.label}
        defaultSort="popular"
        isEmpty={page.items.length === 0}
      >
        <AudioList page={page} note={note} source="category" more={more} name={category.label} />
      </FilteredList>
    </div>
  );
}

/** Dark shade of the category’s color, which its picture fades into; dark enough for white text. */
function ground(color: string | null): string {
  return color === null ? '#1c1214' : `color-mix(in oklch, ${color} 26%, #06060a)`;
}
