import { Link } from 'react-router';
import type { BlogQuery, Topic } from '#domain/editorial/rules.ts';
import { blogAddress, topicLabels, topics } from '#domain/editorial/rules.ts';
import { Chip } from '#web/ui/chip.tsx';
import { BlogSortMenu } from './blog-sort-menu.tsx';

/** Plain links that add or remove a topic or change the order; each leads to the first page. */
export function BlogBar({ query }: { query: BlogQuery }) {
  const { topics: chosen } = query;
  const isAll = chosen.length === 0 || chosen.length === topics.length;
  return (
    <div className="mt-10 mb-5 flex justify-between gap-4 max-md:flex-col md:mt-14 md:mb-7 md:items-center">
      <nav className="chips chips--scroll min-w-0 flex-1" aria-label="Topics">
        <Chip
          aria-current={isAll ? 'true' : undefined}
          render={<Link to={blogAddress({ ...query, topics: [], page: 0 })} preventScrollReset />}
        >
          All
        </Chip>
        {topics.map((topic) => {
          const isOn = !isAll && chosen.includes(topic);
          return (
            <Chip
              key={topic}
              aria-current={isOn ? 'true' : undefined}
              render={
                <Link
                  to={blogAddress({ ...query, topics: toggled(isAll ? [] : chosen, topic), page: 0 })}
                  preventScrollReset
                />
              }
            >
              {topicLabels[topic]}
            </Chip>
          );
        })}
      </nav>
      <BlogSortMenu query={query} />
    </div>
  );
}

function toggled(chosen: Topic[], topic: Topic): Topic[] {
  return topics.filter((one) => chosen.includes(one) !== (one === topic));
}
