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
          Email and push
        </h2>
        <p className="mt-1 text-muted">
          News is always here. Choose whether it is sent to you as well. Required emails, such as receipts, are always
          sent.
        </p>
        <noscript>
          <p className="mt-4 text-soft">Changing these settings needs JavaScript.</p>
        </noscript>
        <NewsPreferencesForm start={preferences} pushKey={pushKey} />
      </section>
      <section aria-labelledby="news-followed">
        <h2 id="news-followed" className="text-22">
          Creators and series
        </h2>
        <p className="mt-1 text-muted">Favorite a creator or follow a series to get news of it.</p>
        <FollowedList voices={voices} series={series} />
      </section>
    </>
  );
}
