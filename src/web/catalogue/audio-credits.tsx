import { t } from '@lingui/core/macro';
import type { Audio } from '#domain/catalogue/audios.ts';
import { creditDescriptions } from '#domain/catalogue/credits/rules.ts';
import { Cover } from '#web/ui/images/cover.tsx';
import { VoiceLink } from './content-link.tsx';

/** People and creators who had a part in an audio, by their parts in the order of its creator. */
export function AudioCredits({ credits }: Pick<Audio, 'credits'>) {
  const title = t`Credits`;
  const roles = [...new Set(credits.map(({ role }) => role))];
  return (
    <section aria-label={title}>
      <h2 className="text-22 mb-2">{title}</h2>
      <dl>
        {roles.map((role) => (
          <div key={role} className="flex gap-3.5 border-b border-line py-2.5 text-14">
            <dt className="flex-1 text-muted">{creditDescriptions[role].by()}</dt>
            <dd className="grid flex-2 gap-2 [overflow-wrap:anywhere]">
              {credits
                .filter((credit) => credit.role === role)
                .map(({ name, voice }) =>
                  voice === null ? (
                    <span key={name}>
                      <bdi>{name}</bdi>
                    </span>
                  ) : (
                    <VoiceLink
                      key={voice.id}
                      className="tap flex items-center gap-2 font-semibold"
                      voice={voice}
                      source="audio_details"
                    >
                      <Cover imageUrl={voice.imageUrl} shape="circle" size={36} />
                      <bdi>{name}</bdi>
                    </VoiceLink>
                  ),
                )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
