import type { Overview } from '#domain/admin/site/overview.ts';
import { countOf, formatCount } from '#formats/numbers.ts';
import { BarList } from '../../workshop/charts/bar-list.tsx';

const names: Record<Overview['newUserSources'][number]['source'], string> = {
  prompt: 'Sign-up prompt',
  home: 'Home',
  'paid-link': 'Paid links',
  'gift-card': 'Gift cards',
  'shared-link': 'Shared links',
  page: 'Other pages',
  unknown: 'Unknown',
};

/** Pages where new users signed up. */
export function NewUsers({ sources }: { sources: Overview['newUserSources'] }) {
  const total = sources.reduce((sum, { users }) => sum + users, 0);
  return (
    <section className="pane mt-5" aria-labelledby="new-users">
      <div className="pane__head">
        <h2 className="pane-title" id="new-users">
          New users
        </h2>
        {total > 0 && <span className="text-13 text-muted">{countOf(total, 'sign-up')}</span>}
      </div>
      {total === 0 ? (
        <p className="text-muted">No new users in this period.</p>
      ) : (
        <BarList
          bars={sources.map(({ source, users }) => ({
            label: names[source],
            share: users / total,
            text: formatCount(users),
            isRest: source === 'unknown',
          }))}
        />
      )}
    </section>
  );
}
