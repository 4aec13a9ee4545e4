import Search from 'lucide-react/icons/search';
import { Link, useLocation, useNavigate } from 'react-router';
import { Icon } from '#web/ui/images/icon.tsx';

/** Search field of a list; the term is in the address. Works without script. */
export function ListSearch({ label, q, keep = {} }: { label: string; q: string; keep?: Record<string, string> }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (
    <search>
      <form
        className="fbar"
        method="get"
        action={pathname}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = new URLSearchParams(keep);
          const typed = new FormData(event.currentTarget).get('q');
          if (typeof typed === 'string' && typed.trim() !== '') wanted.set('q', typed.trim());
          void navigate(`${pathname}?${wanted}`);
        }}
      >
        <div className="fbar__s">
          <Icon of={Search} size={18} />
          <input
            key={q}
            className="in in--d"
            type="search"
            name="q"
            defaultValue={q}
            maxLength={100}
            placeholder={label}
            aria-label={label}
          />
        </div>
        {Object.entries(keep).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {q !== '' && (
          <Link className="btn btn--g btn--sm" to={`${pathname}?${new URLSearchParams(keep)}`}>
            Remove search
          </Link>
        )}
      </form>
    </search>
  );
}
