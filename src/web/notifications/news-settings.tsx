import { Trans } from '@lingui/react/macro';
import type { FollowedSeries, FollowedVoice } from '#domain/notifications/followed.ts';
import type { NewsPreferences } from '#domain/notifications/rules.ts';
import { FollowedList } from './followed-list.tsx';
import { NewsPreferencesForm } from './news-preferences.tsx';

type NewsSettingsProps = {
  preferences: NewsPreferences;
  voices: FollowedVoice[];
  series: FollowedSeries[];
  pushKey: string;
};

/** Preferences for news, and the creators and series that they come from. */
export function NewsSettings({ preferences, voices, series, pushKey }: NewsSettingsProps) {
  return (
    <>
      <section aria-labelledby="news-settings">
        <h2 id="news-settings" className="text-22">
          <Trans>Email and push</Trans>
        </h2>
        <p className="mt-1 text-muted">
          <Trans>
            News is always here. Choose whether it is sent to you as well. Required emails, such as receipts, are always
            sent.
          </Trans>
        </p>
        <noscript>
          <p className="mt-4 text-soft">
            <Trans>Changing these settings needs JavaScript.</Trans>
          </p>
        </noscript>
        <NewsPreferencesForm start={preferences} pushKey={pushKey} />
      </section>
      <section aria-labelledby="news-followed">
        <h2 id="news-followed" className="text-22">
          <Trans>Creators and series</Trans>
        </h2>
        <p className="mt-1 text-muted">
          <Trans>Favorite a creator or follow a series to get news of it.</Trans>
        </p>
        <FollowedList voices={voices} series={series} />
      </section>
    </>
  );
}
