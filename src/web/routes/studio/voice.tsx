import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ExternalLink from 'lucide-react/icons/external-link';
import { href, Link } from 'react-router';
import { feedRecordings } from '#domain/feeds/rules.ts';
import { canMoveOut } from '#domain/studio/rules.ts';
import { languageChoices } from '#formats/language-names.ts';
import { answerOf, api } from '../../api.ts';
import { metaOf } from '../../page-meta.ts';
import { orNotFound } from '../../route-errors.ts';
import { managedVoice } from '../../studio/managed-voice.ts';
import { MoveOut } from '../../studio/move-out.tsx';
import { PictureField } from '../../studio/picture-field.tsx';
import { ProfileForm } from '../../studio/profile-form.tsx';
import { useStudio } from '../../studio/use-studio.ts';
import { VoicePeople } from '../../studio/voice-people.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { usePictureSave } from '../../workshop/forms/use-picture-save.ts';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import type { Route } from './+types/voice';

/** Maximum series to choose from. */
const maxSeries = 100;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const profile = orNotFound(await site.studio.findProfile(voice.id));
  const spoken = feedRecordings.map((what) => profile[`${what}AudioId`]).filter((id) => id !== null);
  const [recommended, recordings, series, people, archive] = await Promise.all([
    site.studio.listNames(profile.recommendedIds),
    site.studio.listTitles(voice.id, spoken),
    site.studio.listManagedSeries(viewer, voice.id, { limit: maxSeries }),
    site.studio.listPeople(voice.id),
    canMoveOut(viewer, voice.id) ? site.studio.measureArchive(voice.id) : null,
  ]);
  return {
    profile,
    recommended,
    recordings,
    series: orNotFound(series).items.map(({ id, title }) => ({ id, title })),
    people: people.map((person) => ({ ...person, since: person.since.toISOString() })),
    languages: languageChoices(profile.language),
    offersTips: site.membership.findTipOffer() !== undefined,
    archive,
    ownId: viewer.id,
  };
}

export const meta = metaOf(() => ({ title: t`Creator page`, description: t`Creator page`, index: 'no' }));

export default function StudioVoice({
  loaderData: { profile, recommended, recordings, series, people, languages, offersTips, archive, ownId },
}: Route.ComponentProps) {
  const { voice } = useStudio();

  const savePicture = usePictureSave('Portrait', (picture) =>
    answerOf(api.studio.voices[':id'].$patch({ param: { id: voice.id }, json: { picture } })),
  );

  return (
    <>
      <WorkshopHead title={t`Creator page`} facts={t`What listeners see of ${{ name: voice.name }}`}>
        <Button render={<Link to={href('/creators/:slug', { slug: profile.slug })} />}>
          <Icon of={ExternalLink} size={18} />
          <Trans>View page</Trans>
        </Button>
      </WorkshopHead>
      <section className="settings-part" aria-labelledby="portrait">
        <header>
          <h2 id="portrait">
            <Trans>Portrait</Trans>
          </h2>
          <p>
            <Trans>A square in lists; the arch on your page is cut from its middle.</Trans>
          </p>
        </header>
        <PictureField name="portrait" imageUrl={voice.imageUrl} shapes={['arch', 'square']} onChoose={savePicture} />
      </section>
      <section className="settings-part" aria-labelledby="texts">
        <header>
          <h2 id="texts">
            <Trans>Page</Trans>
          </h2>
          <p>
            <Trans>Old addresses redirect to the new one.</Trans>
          </p>
        </header>
        <ProfileForm
          key={profile.id}
          profile={profile}
          recommended={recommended}
          recordings={recordings}
          series={series}
          languages={languages}
          offersTips={offersTips}
        />
      </section>
      <section className="settings-part" aria-labelledby="people">
        <header>
          <h2 id="people">
            <Trans>People</Trans>
          </h2>
          <p>
            <Trans>Owners can do everything. Editors cannot delete, and cannot add or remove people.</Trans>
          </p>
        </header>
        <VoicePeople voice={voice} people={people} ownId={ownId} />
      </section>
      {archive !== null && (
        <section className="settings-part" aria-labelledby="move-out">
          <header>
            <h2 id="move-out">
              <Trans>Move out</Trans>
            </h2>
            <p>
              <Trans>
                Sound, covers, transcripts, figures and comments as open files, with a podcast feed that other hosts can
                import. Nothing is deleted here.
              </Trans>
            </p>
          </header>
          <MoveOut voiceId={voice.id} archive={archive} />
        </section>
      )}
    </>
  );
}
