import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import Captions from 'lucide-react/icons/captions';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Copy from 'lucide-react/icons/copy';
import Pause from 'lucide-react/icons/pause';
import Pencil from 'lucide-react/icons/pencil';
import { type ReactNode, useState } from 'react';
import { href, Link, useRevalidator } from 'react-router';
import type { FeedImport } from '#domain/studio/feed-imports/import-state.ts';
import { formatBytes } from '#formats/bytes.ts';
import { formatCount } from '#formats/numbers.ts';
import { answerOf, api } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { useToast } from '../../ui/layers/toast.tsx';
import { DownloadButton } from '../../workshop/download-button.tsx';
import { Fact, Facts } from '../../workshop/facts.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { useCopy } from '../../workshop/use-copy.ts';
import { ProgressBar } from '../uploads/upload-part.tsx';
import { Banner } from '../verification/banner.tsx';

/** How many of the chosen ones are audios. */
export function ImportProgress({ found }: { found: FeedImport }) {
  const { counts, bytes, state } = found;
  const all = counts.new + counts.underWay + counts.made + counts.failed;
  const [done, of] = [formatCount(counts.made), formatCount(all)];
  const percent = all === 0 ? 100 : Math.floor(((counts.made + counts.failed) * 100) / all);
  return (
    <Pane
      title={<span className="tabular-nums">{t`${done} of ${of} imported`}</span>}
      className="mb-5"
      end={
        bytes.all > 0 ? (
          <span className="text-14 text-muted tabular-nums">
            {t`${{ arrived: formatBytes(bytes.arrived) }} of ${{ all: formatBytes(bytes.all) }}`}
          </span>
        ) : undefined
      }
    >
      <ProgressBar label={t`Import`} percent={percent} />
      <p className="text-13 mt-2.5 text-muted">
        {state === 'stopped' ? (
          <Trans>Stopped. What is here stays, and going on leaves it out.</Trans>
        ) : (
          <Trans>It goes on when you close this page. Stop keeps what is here; starting again leaves it out.</Trans>
        )}
      </p>
      <output className="sr-only">{t`${done} of ${of} imported`}</output>
    </Pane>
  );
}

/** Goes on with what was stopped, left out or failed. */
export function useRunAgain(found: FeedImport) {
  const { revalidate } = useRevalidator();
  const showToast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const param = { id: found.id };
  const calls = api.studio['feed-imports'][':id'];

  async function send(sent: Promise<{ ok: true } | { ok: false; message: string }>): Promise<void> {
    setIsBusy(true);
    const answer = await sent;
    if (!answer.ok) showToast({ text: answer.message });
    await revalidate();
    setIsBusy(false);
  }

  return {
    isBusy,
    run: () => void send(answerOf(calls.run.$post({ param, json: found.choices }))),
    stop: () => void send(answerOf(calls.stop.$post({ param }))),
    choose: (position: number, comes: boolean) =>
      void send(answerOf(calls.choose.$post({ param, json: { positions: [position], comes } }))),
    drop: () => void send(answerOf(calls.$delete({ param }))),
  };
}

type ImportResultProps = {
  found: FeedImport;
  voiceId: string;
  voiceSlug: string;
  /** Address of the creator's feed here. */
  feedUrl: string;
  onAgain: () => void;
};

/** The outcome, the rest to do, and how listeners follow. */
export function ImportResult({ found, voiceId, voiceSlug, feedUrl, onAgain }: ImportResultProps) {
  const copy = useCopy();
  const { counts } = found;
  const { made, published, inReview, failed, withText, oldPaths } = counts;
  const drafts = made - published - inReview;
  const withoutText = made - withText;
  const line = `<itunes:new-feed-url>${feedUrl}</itunes:new-feed-url>`;
  return (
    <>
      <Banner
        icon={found.state === 'stopped' ? Pause : Check}
        {...(found.state === 'stopped' && { tone: 'quiet' as const })}
        title={plural({ count: made }, { one: '# audio is here', other: '# audios are here' })}
        act={
          <Button size="sm" render={<Link to={href('/studio/:voice/audios', { voice: voiceSlug })} />}>
            <Trans>See the audios</Trans>
          </Button>
        }
      >
        {[
          published > 0 && plural({ count: published }, { one: '# is published.', other: '# are published.' }),
          inReview > 0 && plural({ count: inReview }, { one: '# waits for a review.', other: '# wait for a review.' }),
          drafts > 0 && plural({ count: drafts }, { one: '# is a draft.', other: '# are drafts.' }),
        ]
          .filter((part) => part !== false)
          .join(' ')}
      </Banner>
      <div className="mb-5 grid gap-5 lg:grid-cols-2">
        <Pane title={t`What is left to do`}>
          <ul className="todo">
            {failed > 0 && (
              <ToDo
                icon={CircleAlert}
                title={plural({ count: failed }, { one: '# did not come', other: '# did not come' })}
                note={t`The reason stands in the list below.`}
              >
                <Button size="sm" onClick={onAgain}>
                  <Trans>Try again</Trans>
                </Button>
              </ToDo>
            )}
            {drafts > 0 && (
              <ToDo
                icon={Pencil}
                title={plural({ count: drafts }, { one: '# is a draft', other: '# are drafts' })}
                note={t`Published later, they keep the date of the old feed.`}
              />
            )}
            {withoutText > 0 && (
              <ToDo
                icon={Captions}
                title={plural({ count: withoutText }, { one: '# has no text yet', other: '# have no text yet' })}
                note={t`Paste the scripts; the lines are timed for you.`}
              >
                <Button
                  size="sm"
                  render={<Link to={`${href('/studio/:voice/audios', { voice: voiceSlug })}?text=without`} />}
                >
                  <Trans>Show them</Trans>
                </Button>
              </ToDo>
            )}
            {failed + drafts + withoutText === 0 && (
              <li className="todo--line text-muted">
                <Trans>Nothing. All is here.</Trans>
              </li>
            )}
          </ul>
        </Pane>
        <Pane title={t`Move your listeners`}>
          <p className="text-14 leading-normal text-muted">
            <Trans>
              Put this line into the old feed. Podcast apps then follow on their own and lose no episode that is free to
              hear here.
            </Trans>
          </p>
          <div className="input mt-3">
            <code className="text-13 min-w-0 flex-1 overflow-x-auto whitespace-nowrap py-2.5">{line}</code>
            <IconButton label={t`Copy the line`} icon={Copy} onClick={() => void copy('line', line)} />
          </div>
          <Facts className="mt-3">
            <Fact name={t`Old pages`}>
              {plural({ count: oldPaths }, { one: '# address leads here', other: '# addresses lead here' })}
              {oldPaths > 0 && (
                <>
                  {' · '}
                  <DownloadButton
                    className="link tap"
                    name="old-pages.csv"
                    label={t`List of old pages (CSV)`}
                    load={() => api.studio.voices[':id']['old-pages.csv'].$get({ param: { id: voiceId } })}
                  >
                    <Trans>List (CSV)</Trans>
                  </DownloadButton>
                </>
              )}
            </Fact>
            <Fact name={t`GUIDs`}>{found.choices.keepsGuids ? t`Kept` : t`New ones`}</Fact>
          </Facts>
          <p className="hint mt-2">
            <Trans>Old addresses lead to the audios once your old domain leads to this site.</Trans>
          </p>
        </Pane>
      </div>
    </>
  );
}

type ToDoProps = { icon: LucideIcon; title: string; note: string; children?: ReactNode };

function ToDo({ icon, title, note, children }: ToDoProps) {
  return (
    <li>
      <span className="todo__icon">
        <Icon of={icon} size={18} />
      </span>
      <div>
        <b>{title}</b>
        <small>{note}</small>
      </div>
      {children}
    </li>
  );
}
