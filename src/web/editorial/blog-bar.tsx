import { Link } from 'react-router';
import type { BlogQuery, Topic } from '#domain/editorial/rules.ts';
import { blogAddress, blogSortLabels, chosenTopics } from '#domain/editorial/rules.ts';
import { SortLinks } from '#web/catalogue/sort-menu.tsx';
import { Chip } from '#web/ui/chip.tsx';

/** Plain links that add or remove a topic or change the order; each leads to the first page. */
export function BlogBar({ query, topics }: { query: BlogQuery; topics: Topic[] }) {
  const { topics: chosen } = query;
  const isAll = chosen.length === 0;
  return (
    <div className="mt-10 mb-5 flex justify-between gap-4 max-md:flex-col md:mt-14 md:mb-7 md:items-center">
      <nav className="chips chips--scroll min-w-0 flex-1" aria-label="Topics">
        <Chip
          aria-current={isAll ? 'true' : undefined}
          render={<Link to={blogAddress({ ...query, topics: [], page: 0 })} rel="nofollow" preventScrollReset />}
        >
          All
        </Chip>
        {topics.map(({ slug, label }) => {
          const isOn = chosen.includes(slug);
          return (
            <Chip
              key={slug}
              aria-current={isOn ? 'true' : undefined}
              render={
                <Link
                  to={blogAddress({ ...query, topics: toggled(topics, chosen, slug), page: 0 })}
                  rel="nofollow"
                  preventScrollReset
                />
              }
            >
              {label}
            </Chip>
          );
        })}
      </nav>
      <SortLinks
        labels={blogSortLabels}
        current={query.sortBy}
        to={(sortBy) => blogAddress({ ...query, sortBy, page: 0 })}
        look="btn--secondary"
        className="max-md:self-start"
        menu="w-40 max-md:start-0 max-md:end-auto"
      />
    </div>
  );
}

function toggled(topics: Topic[], chosen: string[], slug: string): string[] {
  return chosenTopics(topics, chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug]);
}
