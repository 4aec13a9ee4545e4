import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import User from 'lucide-react/icons/user';
import { href, Link, useRevalidator } from 'react-router';
import type { WaitingReview } from '#domain/admin/desk/reviews.ts';
import type { Section } from '#domain/admin/site/site-settings.ts';
import { canAdminister } from '#domain/admin/rules.ts';
import { type ReviewMode, reviewModes } from '#domain/catalogue/review/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { adminViewer } from '#web/admin/admin-viewer.ts';
import { HeldComments } from '#web/admin/desk/held-comments.tsx';
import { ReviewChecks } from '#web/admin/desk/review-checks.tsx';
import { causeText, modeLabels } from '#web/admin/desk/review-words.ts';
import { answerOf, api } from '#web/api.ts';
import { orBadRequest } from '#web/route-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Cover } from '#web/ui/images/cover.tsx';
import { useToast } from '#web/ui/layers/toast.tsx';
import { ListAge } from '#web/workshop/lists/list-age.tsx';
import { ListPager } from '#web/workshop/lists/list-pager.tsx';
import { type Column, Table } from '#web/workshop/lists/table.tsx';
import { LocalTime } from '#web/workshop/local-time.tsx';
import { StateMark } from '#web/workshop/state-mark.tsx';
import type { Route } from './+types/review';

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { site, viewer } = adminViewer(context, 'desk');
  const cursor = searchParams.get('cursor');
  const page = { limit: 25, ...(cursor !== null && { cursor }) };
  const [queue, mode, settings, held] = await Promise.all([
    orBadRequest(site.admin.desk.listReviews(viewer, page)),
    site.admin.desk.findReviewMode(),
    canAdminister(viewer) ? site.admin.site.findSiteSettings(viewer) : undefined,
    site.admin.desk.listHeldComments(viewer, { limit: 25 }),
  ]);
  return { now: Date.now(), queue, held: held.items, mode, setting: settings?.review };
}

/** Audios and comments that wait before they are published. */
export default function DeskReview({ loaderData: { queue, held, mode, setting, now } }: Route.ComponentProps) {
  const { items, nextCursor } = queue;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-14 text-muted">
          {mode === 'all'
            ? t`All audios before they are published, and new sound. Oldest first.`
            : mode === 'off'
              ? t`Only what a watched word held. Oldest first.`
              : t`Audios of a creator’s first five, new sound, and what a watched word held. Oldest first.`}
        </p>
        <ModeChoice mode={mode} setting={setting} />
      </div>
      {items.length === 0 ? (
        held.length === 0 && (
          <EmptyState
            title={t`Nothing waits`}
            text={t`Audios that need a review before they are published wait here.`}
          />
        )
      ) : (
        <>
          <Table caption={t`Review`} rows={items} columns={columns(now)} keyOf={({ id }) => id} />
          <p className="mt-3 text-13 text-muted">
            {items.some(({ isYours }) => isYours) && t`What you uploaded yourself, another reviewer decides.`}
          </p>
          <ListPager
            shown={plural({ count: items.length }, { one: '# audio shown', other: '# audios shown' })}
            nextCursor={nextCursor}
          />
        </>
      )}
      {held.length > 0 && <HeldComments comments={held} now={now} />}
      <ListAge />
    </>
  );
}

const columns = (now: number): Column<WaitingReview>[] => [
  {
    head: t`Audio`,
    kind: 'name',
    cell: ({ id, title, imageUrl, voice }) => (
      <div className="cell">
        <Cover imageUrl={imageUrl} size={40} />
        <div>
          <Link className="truncate" dir="auto" to={href('/admin/desk/review/:id', { id })}>
            {title}
          </Link>
          <small>{voice}</small>
        </div>
      </div>
    ),
  },
  { head: t`Why`, cell: causeText },
  { head: t`Uploaded by`, className: 'wide-only', cell: ({ sentBy }) => sentBy ?? t`the command line` },
  {
    head: t`Length`,
    kind: 'number',
    className: 'wide-only',
    cell: ({ numberDuration }) => formatTime(numberDuration),
  },
  { head: t`Checks`, isWide: true, cell: (review) => <ReviewChecks review={review} /> },
  { head: t`Waits since`, isWide: true, cell: ({ sentAt }) => <LocalTime at={sentAt} now={now} style="moment" /> },
  {
    head: t`Actions`,
    kind: 'actions',
    cell: ({ id, title, isYours }) =>
      isYours ? (
        <StateMark icon={User} text={t`Yours`} />
      ) : (
        <Button size="sm" aria-label={t`Review ${title}`} render={<Link to={href('/admin/desk/review/:id', { id })} />}>
          {t({ message: 'Review', context: 'verb' })}
        </Button>
      ),
  },
];

type ModeChoiceProps = { mode: ReviewMode; setting: Section<{ mode: ReviewMode | null }> | undefined };

/** A text for moderators, who do not change settings. */
function ModeChoice({ mode, setting }: ModeChoiceProps) {
  const showToast = useToast();
  const { revalidate } = useRevalidator();
  const label = modeLabels[mode]();
  if (setting === undefined)
    return (
      <p className="text-14">
        <Trans>Review before publication: {label}</Trans>
      </p>
    );

  async function choose(chosen: ReviewMode, revision: number): Promise<void> {
    const answer = await answerOf(api.admin.settings.review.$put({ json: { value: { mode: chosen }, revision } }));
    if (!answer.ok) showToast({ text: answer.message });
    await revalidate();
  }

  return (
    <fieldset className="segments" aria-label={t`Review before publication`}>
      {reviewModes.map((one) => (
        <button key={one} type="button" aria-pressed={one === mode} onClick={() => void choose(one, setting.revision)}>
          {modeLabels[one]()}
        </button>
      ))}
    </fieldset>
  );
}
