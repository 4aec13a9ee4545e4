import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ExternalLink from 'lucide-react/icons/external-link';
import { href, Link } from 'react-router';
import { answerOf, api } from '../../api.ts';
import { formatDuration, formatTime } from '#formats/durations.ts';
import { orNotFound } from '../../route-errors.ts';
import { DeleteSeries } from '../../studio/series/delete-series.tsx';
import { managedVoice } from '../../studio/managed-voice.ts';
import { PictureField } from '../../studio/picture-field.tsx';
import { SeriesTexts } from '../../studio/series/series-texts.tsx';
import { useSeriesOrder } from '../../studio/series/use-series-order.ts';
import { useStudio } from '../../studio/use-studio.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/images/cover.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { AudioField } from '../../workshop/forms/audio-field.tsx';
import { HandOrder } from '../../workshop/forms/hand-order.tsx';
import { usePictureSave } from '../../workshop/forms/use-picture-save.ts';
import { WorkshopHead } from '../../workshop/workshop-head.tsx';
import { titled } from '../../workshop/titled.ts';
import type { Route } from './+types/series-one';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer, voice } = await managedVoice(context, params.voice);
  const series = orNotFound(await site.studio.findManagedSeries(viewer, params.id));
  return { series: orNotFound(series.voiceId === voice.id ? series : undefined) };
}

export const meta = titled(({ series }: Route.ComponentProps['loaderData']) => series.title);

const states = { scheduled: () => t`Scheduled`, draft: () => t`Draft` };

/** A key per item, so that input and dialogs of one do not appear on another. */
export default function StudioSeriesOne({ loaderData }: Route.ComponentProps) {
  return <SeriesPage key={loaderData.series.id} {...loaderData} />;
}

function SeriesPage({ series }: Route.ComponentProps['loaderData']) {
  const { voice } = useStudio();
  const { parts, move, add, remove } = useSeriesOrder(series);
  const seconds = parts.reduce((sum, { duration }) => sum + duration, 0);

  const savePicture = usePictureSave('Cover', (picture) =>
    answerOf(api.studio.series[':id'].$patch({ param: { id: series.id }, json: { picture } })),
  );

  return (
    <>
      <WorkshopHead
        title={series.title}
        back={{
          to: href('/studio/:voice/series', { voice: voice.slug }),
          label: t({ message: 'Series', context: 'several' }),
        }}
        facts={
          <span className="tabular-nums">
            {plural({ count: parts.length }, { one: '# audio', other: '# audios' })}
            {seconds > 0 && <span className="dot">{formatDuration(seconds)}</span>}
          </span>
        }
      >
        <Button render={<Link to={href('/series/:slug', { slug: series.slug })} />}>
          <Icon of={ExternalLink} size={18} />
          <Trans>View page</Trans>
        </Button>
      </WorkshopHead>
      <div className="main-and-aside">
        <div>
          <div className="mb-5">
            <AudioField
              label={t`Add an audio`}
              placeholder={t`Title of one of your audios`}
              opensEmpty
              search={(q) =>
                answerOf(
                  api.studio.voices[':id']['series-audios'].$get({ param: { id: voice.id }, query: { q, limit: '8' } }),
                )
              }
              detailOf={({ duration }) => formatTime(duration)}
              obstacleOf={(audio) =>
                parts.some(({ id }) => id === audio.id)
                  ? t`In this series`
                  : audio.series !== null && audio.series.id !== series.id
                    ? t`In ${{ title: audio.series.title }}`
                    : undefined
              }
              onAdd={add}
            />
          </div>
          {parts.length === 0 ? (
            <p className="border-t border-line py-10 text-center text-muted">
              <Trans>No audios in this series yet. Find the first one above.</Trans>
            </p>
          ) : (
            <HandOrder
              items={parts}
              label={t`Order of the series`}
              nameOf={({ title }) => title}
              renderItem={({ imageUrl, title, state, duration }) => (
                <>
                  <Cover imageUrl={imageUrl} size={40} />
                  <div className="min-w-0">
                    <b className="block truncate font-semibold">{title}</b>
                    {state !== 'published' && <span className="text-13 text-muted">{states[state]()}</span>}
                  </div>
                  <span className="time-cell text-end text-muted">{formatTime(duration)}</span>
                </>
              )}
              onMove={move}
              onRemove={remove}
            />
          )}
        </div>
        <aside className="grid content-start gap-6">
          <section className="pane" aria-labelledby="series-cover">
            <div className="pane__head">
              <h2 id="series-cover">
                <Trans>Cover</Trans>
              </h2>
            </div>
            <PictureField name="cover" imageUrl={series.imageUrl} shapes={['square']} onChoose={savePicture} />
          </section>
          <SeriesTexts key={series.id} series={series} />
          {voice.role !== 'editor' && <DeleteSeries series={series} voice={voice} parts={parts.length} />}
        </aside>
      </div>
    </>
  );
}
