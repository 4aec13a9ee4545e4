import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { FormEvent } from 'react';
import SearchIcon from 'lucide-react/icons/search';
import { href } from 'react-router';
import { useSession } from '#web/identity/session-provider.tsx';
import { logEvent } from '#web/analytics/log-event.ts';
import { PageForm } from './page-form.tsx';
import { recentTermsOf } from './recent-terms.ts';
import { tidyTerm } from './tidy-term.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';

/** Field on the search page itself; submitting an empty term does nothing (spec §2, “Search dropdown”). */
export function SearchField() {
  const { user } = useSession();
  function remember(event: FormEvent<HTMLFormElement>): void {
    const term = tidyTerm(String(new FormData(event.currentTarget).get('search')));
    if (term === '') return event.preventDefault();
    logEvent('global_search_click', { source: 'search', properties: { kind: 'all' } });
    recentTermsOf(user).remember(term);
  }
  return (
    <search aria-label={t`Search everything`}>
      <PageForm action={href('/search')} onSubmit={remember} className="mt-6 flex max-w-[560px] gap-3">
        <label className="input input--pill min-w-0 flex-1">
          <Icon of={SearchIcon} size={18} className="text-muted" />
          <span className="sr-only">
            <Trans>Search audios, creators, categories and playlists</Trans>
          </span>
          <input
            className="input__field"
            type="search"
            name="search"
            required
            maxLength={100}
            placeholder={t`A poet, a mood or a voice`}
            autoComplete="off"
          />
        </label>
        <Button variant="primary" type="submit">
          {t`Search`}
        </Button>
      </PageForm>
    </search>
  );
}
