import SearchIcon from 'lucide-react/icons/search';
import { Form, href } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** The field on the search page itself; an empty term does nothing (spec §2, "Search dropdown"). */
export function SearchField() {
  return (
    <search aria-label="Search everything">
      <Form action={href('/search')} className="mt-6 flex max-w-[560px] gap-3">
        <label className="in in--pill grow">
          <Icon of={SearchIcon} size={18} className="text-muted" />
          <span className="vh">Search audios, voices, categories and playlists</span>
          <input
            className="in__f"
            type="search"
            name="search"
            required
            maxLength={100}
            placeholder="A poet, a mood or a voice"
            autoComplete="off"
          />
        </label>
        <Button variant="primary" type="submit">
          Search
        </Button>
      </Form>
    </search>
  );
}
