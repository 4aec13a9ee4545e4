import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Check from 'lucide-react/icons/check';
import CircleAlert from 'lucide-react/icons/circle-alert';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { href, Link } from 'react-router';
import type { FeedImport, ListedFeedItem } from '#domain/studio/feed-imports/import-state.ts';
import type { ItemFilter } from '#domain/studio/feed-imports/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { formatDate } from '#formats/times.ts';
import { ListPager } from '../../workshop/lists/list-pager.tsx';
import { PickBox } from '../../workshop/lists/pick-box.tsx';
import { StateChips } from '../../workshop/lists/state-chips.tsx';
import { type Column, Table } from '../../workshop/lists/table.tsx';
import { StateMark } from '../../workshop/state-mark.tsx';
import { heldText, itemFailureText, obstacleTexts } from './import-texts.ts';

type FeedItemsProps = {
  voiceSlug: string;
  found: FeedImport;
  items: ListedFeedItem[];
  nextCursor: string | null;
  show: ItemFilter | undefined;
  /** Items that are not to come; undefined: nothing can be chosen. */
  choice?: { leftOut: ReadonlySet<number>; onChange: (positions: number[], comes: boolean) => void };
  /** Leaves one out that has not begun to come, or takes it in again. */
  onChoose?: (position: number, comes: boolean) => void;
};

/** Episodes of a feed in its order, with what becomes of them. */
export function FeedItems({ voiceSlug, found, items, nextCursor, show, choice, onChoose }: FeedItemsProps) {
  const { counts } = found;
  const shown = plural({ count: items.length }, { one: '# shown', other: '# shown' });
  const open = items.filter(({ state }) => state === 'new').map(({ position }) => position);
  const coming = open.filter((position) => choice?.leftOut.has(position) !== true);
  const columns: Column<ListedFeedItem>[] = [
    ...(choice === undefined
      ? []
      : [
          {
            head: t({ message: 'Select', context: 'verb' }),
            heading: (
              <PickBox
                label={t`Select all on this page`}
                isPicked={coming.length > 0 && coming.length === open.length}
                isMixed={coming.length > 0 && coming.length < open.length}
                onChange={(comes) => choice.onChange(open, comes)}
              />
            ),
            headClass: 'narrowest',
            className: 'pick narrowest',
            cell: ({ position, title, state }: ListedFeedItem) =>
              state === 'new' && (
                <PickBox
                  label={t`Import ${title}`}
                  isPicked={!choice.leftOut.has(position)}
                  onChange={(comes) => choice.onChange([position], comes)}
                />
              ),
          },
        ]),
    {
      head: t`Episode`,
      kind: 'name',
      cell: (item) =>
        item.audio === null ? (
          <b className="wrap-anywhere" dir="auto">
            {item.title || t`Untitled`}
          </b>
        ) : (
          <Link
            className="link tap wrap-anywhere"
            dir="auto"
            to={href('/studio/:voice/audios/:id', { voice: voiceSlug, id: item.audio.id })}
          >
            {item.title || t`Untitled`}
          </Link>
        ),
    },
    {
      head: t`Date`,
      className: 'text-muted whitespace-nowrap tabular-nums',
      cell: ({ publishedAt }) => (publishedAt === null ? '·' : formatDate(publishedAt)),
    },
    {
      head: t`Length`,
      kind: 'number',
      className: 'wide-only',
      cell: ({ seconds }) => (seconds === null ? '·' : formatTime(seconds)),
    },
    {
      head: t`State`,
      className: 'card-meta',
      cell: (item) => (
        <>
          <ItemState item={item} isPlan={found.state === 'planned'} />
          {onChoose && (item.state === 'new' || item.state === 'left-out') && (
            <button
              type="button"
              className="link tap ms-2"
              aria-label={
                item.state === 'new'
                  ? t`Leave out ${{ title: item.title || t`Untitled` }}`
                  : t`Take in ${{ title: item.title || t`Untitled` }}`
              }
              onClick={() => onChoose(item.position, item.state !== 'new')}
            >
              {item.state === 'new' ? t`Leave out` : t`Take in`}
            </button>
          )}
        </>
      ),
    },
  ];
  const options = [
    {
      value: 'new',
      label: found.state === 'planned' ? t({ message: 'New', context: 'episodes' }) : t`Not yet`,
      count: counts.new,
    },
    { value: 'under-way', label: t`Under way`, count: counts.underWay },
    { value: 'made', label: t`Imported`, count: counts.made },
    { value: 'failed', label: t`Failed`, count: counts.failed },
    { value: 'here', label: t`Already here`, count: counts.here },
    { value: 'cannot', label: t`Cannot come`, count: counts.cannot },
  ];
  return (
    <>
      <StateChips
        label={t`States`}
        name="show"
        value={show}
        options={[{ value: undefined, label: t`All`, count: counts.all }, ...options]}
      />
      {items.length === 0 ? (
        <p className="text-14 text-muted">
          <Trans>No episode is in this state.</Trans>
        </p>
      ) : (
        <Table
          caption={t`Episodes`}
          rows={items}
          columns={columns.map((column) => ({ ...column, isBare: true }))}
          keyOf={({ position }) => String(position)}
          look={choice === undefined ? 'data-table--cards' : 'data-table--cards data-table--pick'}
        />
      )}
      <ListPager shown={shown} nextCursor={nextCursor ?? undefined} />
    </>
  );
}

function ItemState({ item, isPlan }: { item: ListedFeedItem; isPlan: boolean }) {
  const { state, obstacle, failure, held, progress, audio } = item;
  switch (state) {
    case 'new':
      return <StateMark icon={Plus} text={isPlan ? t({ message: 'New', context: 'episodes' }) : t`Not yet`} />;
    case 'here':
      return <StateMark icon={Check} text={t`Already here`} />;
    case 'cannot':
      return <StateMark icon={CircleAlert} tone="bad" text={obstacleTexts()[obstacle ?? 'no-sound']} />;
    case 'left-out':
      return <StateMark icon={Minus} text={t`Left out`} />;
    case 'under-way':
      return <StateMark icon={LoaderCircle} text={t`Processing ${{ progress: progress ?? 0 }}%`} />;
    case 'failed':
      return <StateMark icon={CircleAlert} tone="bad" text={itemFailureText(failure ?? 'failed')} />;
    case 'made':
      return audio === null ? (
        <StateMark icon={Minus} text={t`Deleted`} />
      ) : (
        <>
          <StateMark
            icon={Check}
            tone="ok"
            text={{ published: t`Published`, 'in-review': t`In review`, draft: t`Draft` }[audio.state]}
          />
          {audio.state === 'draft' && held !== null && <small className="block text-muted">{heldText(held)}</small>}
        </>
      );
  }
}
