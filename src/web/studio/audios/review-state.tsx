import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import Headphones from 'lucide-react/icons/headphones';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import Send from 'lucide-react/icons/send';
import Undo2 from 'lucide-react/icons/undo-2';
import type { ReturnReason } from '#domain/catalogue/review/rules.ts';
import { returnText } from '#domain/catalogue/review/wording-rules.ts';
import type { AudioFacts } from '#domain/studio/audios/audio-facts.ts';
import type { ReviewNote } from '#domain/studio/audios/review-note.ts';
import { foreign } from '../../catalogue/foreign-language.tsx';
import type { Publication } from '../../workshop/forms/publishing-panel.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { Pane } from '../../workshop/pane.tsx';
import { type Moment, Timeline } from '../../workshop/facts.tsx';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../verification/banner.tsx';

const reasons: Record<ReturnReason, () => string> = {
  'consent-missing': () => t({ message: 'consent missing', context: 'within a sentence' }),
  'wrong-notes': () => t({ message: 'wrong notes', context: 'within a sentence' }),
  'text-differs': () => t({ message: 'text differs', context: 'within a sentence' }),
  sound: () => t({ message: 'sound', context: 'within a sentence' }),
  other: () => '',
};

const [day, hour] = [86_400_000, 3_600_000];

/** `Usually one day.`; empty while too few were reviewed. */
function usualText(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return '';
  if (milliseconds < day / 2) {
    const hours = Math.max(1, Math.round(milliseconds / hour));
    return plural(hours, { one: 'Usually one hour.', other: 'Usually # hours.' });
  }
  const days = Math.max(1, Math.round(milliseconds / day));
  return plural(days, { one: 'Usually one day.', other: 'Usually # days.' });
}

type ReviewBannerProps = {
  audio: Pick<AudioFacts, 'review' | 'usualReviewTime'>;
  onPublish: (publication: Publication) => Promise<true | string>;
};

/** First thing of the page while an audio is in review, or was returned. */
export function ReviewBanner({ audio: { review, usualReviewTime }, onPublish }: ReviewBannerProps) {
  if (review === null) return null;
  if (review.returnedAt === null)
    return (
      <Banner
        icon={Headphones}
        tone="quiet"
        title={
          <Trans>
            In review since <LocalTime at={review.sentAt} style="full" />
          </Trans>
        }
        act={
          <Button size="sm" onClick={() => void onPublish({ state: 'unpublished' })}>
            {t({ message: 'Withdraw', context: 'review' })}
          </Button>
        }
      >
        {[
          usualText(usualReviewTime),
          t`You can go on with the text meanwhile. New sound starts the review again.`,
          review.publishAt === null ? t`After approval it goes online at once.` : '',
        ]
          .filter(Boolean)
          .join(' ')}
        {review.publishAt !== null && (
          <>
            {' '}
            <Trans>
              After approval it goes online on <LocalTime at={review.publishAt} style="full" />.
            </Trans>
          </>
        )}
      </Banner>
    );
  const reason = reasons[review.reasonKind ?? 'other']();
  const { field } = review;
  return (
    <Banner
      icon={MessageSquareText}
      title={
        reason === '' ? (
          <Trans>
            Returned on <LocalTime at={review.returnedAt} style="full" />
          </Trans>
        ) : (
          <Trans>
            Returned on <LocalTime at={review.returnedAt} style="full" />: {reason}
          </Trans>
        )
      }
      act={
        field !== null && (
          <Button size="sm" onClick={() => goTo(field)}>
            {t`Go to the field`}
          </Button>
        )
      }
    >
      <ReturnWords review={review} />
    </Banner>
  );
}

/** The standard sentence, and the reviewer’s own words. */
function ReturnWords({ review: { canned, reasonKind, reason, language } }: { review: ReviewNote }) {
  const sentence = canned && reasonKind !== null ? returnText(reasonKind) : '';
  return (
    <>
      {sentence}{' '}
      <span dir="auto" lang={foreign(language)}>
        {reason}
      </span>
    </>
  );
}

/** The field has the name of its part of the page. */
function goTo(field: string): void {
  const part = document.querySelector<HTMLElement>(`[data-field="${field}"]`);
  part?.scrollIntoView({ block: 'center' });
  part?.querySelector<HTMLElement>('input, textarea, select, button')?.focus({ preventScroll: true });
}

/** The way of an audio through its review. */
export function ReviewSteps({ review, usual }: { review: ReviewNote; usual: number | undefined }) {
  const sent: Moment = {
    key: 'sent',
    icon: Send,
    title: review.sentBy === null ? t`Sent` : t`Sent by ${{ name: review.sentBy }}`,
    at: review.sentAt,
    time: <LocalTime at={review.sentAt} style="full" />,
  };
  const moments: Moment[] =
    review.returnedAt === null
      ? [
          sent,
          {
            key: 'waits',
            icon: Headphones,
            tone: 'tone-accent',
            title: t`A reviewer listens`,
            at: review.sentAt,
            time: <span>{t`${{ place: review.place ?? 1 }} of ${{ total: review.total }} in the queue`}</span>,
          },
          {
            key: 'online',
            icon: Check,
            title: t`Online`,
            at: review.sentAt,
            time:
              review.publishAt === null ? <span>{t`at once`}</span> : <LocalTime at={review.publishAt} style="full" />,
          },
        ]
      : [
          sent,
          {
            key: 'returned',
            icon: Undo2,
            tone: 'tone-bad',
            title: t`Returned`,
            at: review.returnedAt,
            time: <LocalTime at={review.returnedAt} style="full" />,
          },
          {
            key: 'again',
            icon: Headphones,
            title: t`Review again`,
            at: review.returnedAt,
            time: <span>{usualText(usual)}</span>,
          },
        ];
  return (
    <Pane title={t`Review`}>
      <Timeline label={t`Review`} moments={moments} />
    </Pane>
  );
}

/** Under the title of a row. */
export function ReviewLine({ review, now }: { review: ReviewNote; now: number }) {
  if (review.returnedAt !== null)
    return (
      <small className="max-w-[320px] truncate">
        <ReturnWords review={review} />
      </small>
    );
  return (
    <small>
      <Trans>
        Since <LocalTime at={review.sentAt} now={now} style="moment" />, {{ place: review.place ?? 1 }} of{' '}
        {{ total: review.total }} in the queue
      </Trans>
    </small>
  );
}
