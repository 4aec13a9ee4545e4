import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Headphones from 'lucide-react/icons/headphones';
import { useRef, useState } from 'react';
import { href, Link, redirect, useNavigate } from 'react-router';
import { languageName } from '#formats/language-names.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { Check, PerformerChecks, PerformersPane, obstacleText } from '#web/admin/desk/performers.tsx';
import { ReviewDecision } from '#web/admin/desk/review-decision.tsx';
import { ReviewKeys, useReviewKeys } from '#web/admin/desk/review-keys.tsx';
import { ReviewPlayer } from '#web/admin/desk/review-player.tsx';
import { ReviewText } from '#web/admin/desk/review-text.tsx';
import { causeText } from '#web/admin/desk/review-words.ts';
import { useHeard } from '#web/admin/desk/use-heard.ts';
import { useAdminAct } from '#web/admin/second-factor/step-up.tsx';
import { answerOf, api } from '#web/api.ts';
import { fieldNames } from '#web/studio/audios/audio-conflict.ts';
import { useRecording } from '#web/workshop/use-recording.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { Fact, Facts } from '#web/workshop/facts.tsx';
import { syntheticVoiceLabels } from '#web/workshop/forms/synthetic-voice-field.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { Pane } from '#web/workshop/pane.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import { titled } from '#web/workshop/titled.ts';
import { WorkshopHead } from '#web/workshop/workshop-head.tsx';
import type { Route } from './+types/review-audio';

export async function loader({ context, params }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const found = await site.admin.desk.findReview(viewer, params.id);
  // Decided meanwhile, or withdrawn.
  if (found === undefined) throw redirect(href('/admin/desk/review'));
  const isLater = found.review.publishAt !== null && found.review.publishAt > new Date();
  return { ...found, isLater, languageName: languageName(found.shown.language) };
}

export const meta = titled(({ review }: Route.ComponentProps['loaderData']) => review.title);

export default function ReviewAudio({ loaderData }: Route.ComponentProps) {
  return <Review key={loaderData.review.id} {...loaderData} />;
}

const skipped = 15;

/** Fields that a reason can point to, besides the sound. */
const reviewedFields = ['title', 'description', 'tags', 'categories', 'transcript', 'syntheticVoice'] as const;

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

function Review(props: Route.ComponentProps['loaderData']) {
  const { review, isLater, shown, lines, peaks, performers, refusedWords, obstacle, place, total, nextId } = props;
  const { element, recording, failed } = useRecording(review.numberDuration);
  const heard = useHeard(recording.position, recording.isPlaying, review.numberDuration);
  const [busy, setBusy] = useState(false);
  const reasonField = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const showToast = useToast();
  const act = useAdminAct();
  const words = review.watchedWords;
  const cause = causeText(review);
  const canDecide = !review.isYours && !busy;

  async function decide(decision: Parameters<Parameters<typeof ReviewDecision>[0]['onDecide']>[0]): Promise<void> {
    if (!canDecide) return;
    setBusy(true);
    const json = { ...decision, heard: Math.round(heard), words };
    const answer = await act(() =>
      answerOf(api.admin.reviews[':id'].decision.$post({ param: { id: review.id }, json })),
    );
    setBusy(false);
    if (answer === undefined) return;
    if (!answer.ok && answer.status !== 409) return showToast({ text: answer.message });
    const { title } = review;
    showToast({
      text: !answer.ok
        ? answer.message
        : decision.decision === 'approved'
          ? t`“${title}” was approved`
          : t`“${title}” was returned`,
    });
    await navigate(nextId === null ? href('/admin/desk/review') : href('/admin/desk/review/:id', { id: nextId }));
  }

  function nextWord(): void {
    const starts = [...document.querySelectorAll<HTMLElement>('[data-watched]')];
    const next = starts.find((line) => Number(line.dataset['watched']) > recording.position + 0.5) ?? starts[0];
    next?.scrollIntoView({ block: 'center' });
    if (next !== undefined) recording.seek(Number(next.dataset['watched']));
  }

  useReviewKeys((command) => {
    if (command === 'play') (recording.isPlaying ? recording.pause : recording.play)();
    else if (command === 'back') recording.seek(recording.position - skipped);
    else if (command === 'forward') recording.seek(recording.position + skipped);
    else if (command === 'word') nextWord();
    else if (command === 'approve' && obstacle === null) void decide({ decision: 'approved' });
    else if (command === 'return') reasonField.current?.querySelector('textarea')?.focus();
  });

  return (
    <>
      <WorkshopHead
        title={review.title}
        back={{ to: href('/admin/desk/review'), label: t`Review, ${place} of ${total}` }}
        facts={
          <>
            <StateMark icon={Headphones} tone="accent" text={t`In review`} />
            <span className="ms-2.5">
              <Trans>
                {cause}, sent <LocalTime at={review.sentAt} style="full" />
              </Trans>
            </span>
            <span className="dot">{review.voice}</span>
          </>
        }
      >
        {nextId !== null && (
          <Button
            variant="ghost"
            className="btn--quiet"
            render={<Link to={href('/admin/desk/review/:id', { id: nextId })} />}
          >
            <Icon of={ChevronRight} size={18} />
            {t({ message: 'Next', context: 'review' })}
          </Button>
        )}
      </WorkshopHead>
      <div className="main-and-aside">
        <div className="stack">
          <ReviewPlayer
            audioId={review.audioId}
            title={review.title}
            duration={review.numberDuration}
            {...{ peaks, element, recording, failed, heard }}
          />
          <ReviewText lines={lines} position={recording.position} onPlay={recording.play} onNextWord={nextWord} />
          {performers && <PerformersPane performers={performers} />}
          <Pane title={t`What listeners will see`}>
            <Facts>
              <Fact name={t`Categories`}>
                {shown.categories.join(', ') || t({ message: 'None', context: 'category' })}
              </Fact>
              <Fact name={t`Tags`}>{shown.tags.join(', ') || t({ message: 'None', context: 'tag' })}</Fact>
              <Fact name={t`Synthetic voice`}>{syntheticVoiceLabels[shown.syntheticVoice]()}</Fact>
              <Fact name={t`Language`}>{props.languageName}</Fact>
              <Fact name={t`Description`} className="wrap-anywhere">
                <span dir="auto">{shown.description}</span>
              </Fact>
            </Facts>
          </Pane>
        </div>
        <aside className="stack">
          <Pane title={t`At a glance`} gap="mb-1.5">
            <ul>
              {performers && <PerformerChecks performers={performers} />}
              <Check isGood={lines.length > 0} name={t`Text`} value={lines.length > 0 ? t`there` : t`none`} />
              <Check
                isGood={words.length === 0}
                name={t`Watched words`}
                value={words.length === 0 ? t`none` : words.join(', ')}
              />
              <Check
                isGood={refusedWords.length === 0}
                name={t`Refused words`}
                value={refusedWords.length === 0 ? t`none` : refusedWords.join(', ')}
              />
            </ul>
          </Pane>
          <ReviewDecision
            voice={review.voice}
            publishAt={isLater ? review.publishAt : null}
            obstacle={obstacle === null ? undefined : obstacleText(obstacle)}
            isYours={review.isYours}
            busy={busy}
            reasonField={reasonField}
            fields={[
              ...reviewedFields.map((name) => ({ value: name, label: capital(fieldNames[name]()) })),
              { value: 'sound', label: t`Sound` },
            ]}
            onDecide={(decision) => void decide(decision)}
          />
          <ReviewKeys />
        </aside>
      </div>
    </>
  );
}
