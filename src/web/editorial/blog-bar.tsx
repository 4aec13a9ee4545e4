import { Link } from 'react-router';
import type { BlogQuery, Topic } from '#domain/editorial/rules.ts';
import { blogAddress, topicLabels, topics } from '#domain/editorial/rules.ts';
import { Chip } from '#web/ui/chip.tsx';
import { BlogSortMenu } from './blog-sort-menu.tsx';

/** Plain links, each to the list with one topic more or less, or in another order; every one begins at its first page. */
export function BlogBar({ query }: { query: BlogQuery }) {
  const { topics: chosen } = query;
  const isAll = chosen.length === 0 || chosen.length === topics.length;
  return (
    <div className="blogbar">
      <nav className="chips chips--scroll grow" aria-label="Topics">
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
