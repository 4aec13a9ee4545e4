import ChevronDown from 'lucide-react/icons/chevron-down';
import { Link } from 'react-router';
import type { BlogQuery } from '#domain/editorial/rules.ts';
import { blogAddress, blogSortLabels, blogSorts } from '#domain/editorial/rules.ts';
import { useDisclosure } from '#web/catalogue/use-disclosure.ts';
import { Icon } from '#web/ui/images/icon.tsx';

/** The six orders of spec §3. A `<details>` with links, which also works without JavaScript. */
export function BlogSortMenu({ query }: { query: BlogQuery }) {
  const box = useDisclosure();
  const current = blogSortLabels[query.sortBy];
  return (
    <details ref={box} className="relative max-md:self-start">
      <summary
        className="btn btn--secondary btn--small cursor-pointer list-none [&::-webkit-details-marker]:hidden"
        aria-label={`Sort: ${current}`}
      >
        {current}
        <Icon of={ChevronDown} size={16} />
      </summary>
      <ul data-menu className="menu absolute end-0 z-10 w-40 max-md:start-0 max-md:end-auto">
        {blogSorts.map((sortBy) => (
          <li key={sortBy}>
            <Link
              className="menu__item"
              aria-current={sortBy === query.sortBy ? 'true' : undefined}
              to={blogAddress({ ...query, sortBy, page: 0 })}
              rel="nofollow"
              preventScrollReset
            >
              {blogSortLabels[sortBy]}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
