import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Ellipsis from 'lucide-react/icons/ellipsis';
import ExternalLink from 'lucide-react/icons/external-link';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import { href, Link, useLocation } from 'react-router';
import { formatCount } from '#formats/numbers.ts';
import { formatTime } from '#formats/durations.ts';
import type { ManagedAudio } from '#domain/studio/audios/audio-list.ts';
import type { BulkAct, ManagedSort } from '#domain/studio/rules.ts';
import { Cover } from '../../ui/images/cover.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { MenuItem, MenuLink, MenuSeparator } from '../../ui/layers/menu-items.tsx';
import { Menu } from '../../ui/layers/menu.tsx';
import { LocalTime } from '../../workshop/local-time.tsx';
import { PickBox } from '../../workshop/lists/pick-box.tsx';
import type { SortOption } from '../../workshop/lists/sorting.tsx';
import { type Column, Table } from '../../workshop/lists/table.tsx';
import { PublicationMark } from '../../workshop/state-mark.tsx';
import { ReviewLine } from './review-state.tsx';
import type { Picked } from '../../workshop/lists/use-picked.ts';

const sorts = (): Record<ManagedSort, SortOption<ManagedSort>> => ({
  changed: { value: 'changed', label: t`Last changed first`, direction: 'descending' },
  plays: { value: 'plays', label: t`Most plays first`, direction: 'descending' },
  title: { value: 'title', label: t`Title A to Z`, direction: 'ascending' },
  longest: { value: 'longest', label: t`Longest first`, direction: 'descending' },
});

export const audioSorts = () => Object.values(sorts());

type AudioTableProps = {
  audios: ManagedAudio[];
  sort: ManagedSort;
  picked: Picked;
  /** The server's time in milliseconds. */
  now: number;
  /** Adds a column with the creator, for tables of several voices. */
  withVoices?: boolean;
  canDelete: boolean;
  /** Plays of the last 28 days by id, as a column of its own. */
  recentPlays?: Record<string, number> | undefined;
  onAct: (act: BulkAct, audio: ManagedAudio) => void;
};

/** Audios for the managers of the voice; cards on a phone. */
export function AudioTable(props: AudioTableProps) {
  const { audios, sort, picked, now, withVoices = false, canDelete, recentPlays, onAct } = props;
  const { changed, plays, title, longest } = sorts();
  const count = picked.ids.size;
  const none = <span className="text-muted">·</span>;
  const hasPlays = (audio: ManagedAudio) => audio.plays > 0 || audio.state === 'published';
  const columns: Column<ManagedAudio>[] = [
    {
      head: t({ message: 'Select', context: 'verb' }),
      heading: (
        <PickBox
          label={t`Select all on this page`}
          isPicked={count > 0 && count === audios.length}
          isMixed={count > 0 && count < audios.length}
          onChange={picked.pickAll}
        />
      ),
      headClass: 'narrowest',
      className: 'pick narrowest',
      cell: ({ id, title: name }) => (
        <PickBox
          label={t`Select ${name}`}
          isPicked={picked.ids.has(id)}
          onChange={(isPicked) => picked.pick(id, isPicked)}
        />
      ),
    },
    {
      head: t`Audio`,
      kind: 'name',
      sort: title,
      cell: (audio) => (
        <div className="cell">
          <Cover imageUrl={audio.imageUrl} size={40} />
          <div>
            <AudioName audio={audio} />
            {withVoices && <small>{audio.voice.name}</small>}
            {audio.review !== null && <ReviewLine review={audio.review} now={now} />}
            {audio.syntheticVoice !== 'none' && (
              <small>
                {audio.syntheticVoice === 'wholly' ? t`Synthetic voice, wholly` : t`Synthetic voice, partly`}
              </small>
            )}
            {audio.hasChanges && (
              <small>
                <Trans>Changes not public yet</Trans>
              </small>
            )}
          </div>
        </div>
      ),
    },
    {
      head: t`State`,
      className: 'card-meta',
      cell: (audio) => (
        <>
          <PublicationMark of={audio} now={now} />
          <span className="text-muted md:hidden">
            <LocalTime at={audio.changedAt} now={now} style="moment" />
          </span>
        </>
      ),
    },
    {
      head: t`Access`,
      className: 'card-meta',
      cell: (audio) => (
        <>
          <span className={audio.isFree ? 'access' : 'access text-muted'}>
            <Icon of={audio.isFree ? LockOpen : Lock} size={16} />
            {audio.isFree ? t`Free` : t`Subscribers`}
          </span>
          <span className="text-muted md:hidden">{formatTime(audio.numberDuration)}</span>
          {hasPlays(audio) && (
            <span className="text-muted md:hidden">
              {plural({ count: audio.plays }, { one: '# play', other: '# plays' })}
            </span>
          )}
        </>
      ),
    },
    {
      head: t`Categories`,
      className: 'wide-only text-muted',
      cell: ({ categories }) => <span className="block max-w-[150px] truncate">{categories.join(', ')}</span>,
    },
    {
      head: t`Length`,
      kind: 'number',
      sort: longest,
      className: 'wide-only',
      cell: ({ numberDuration }) => formatTime(numberDuration),
    },
    {
      head: t`Plays`,
      kind: 'number',
      sort: plays,
      className: 'wide-only',
      cell: (audio) => (hasPlays(audio) ? formatCount(audio.plays) : none),
    },
    ...(recentPlays === undefined ? [] : [recentPlaysOf(recentPlays)]),
    {
      head: t`Changed`,
      sort: changed,
      className: 'wide-only whitespace-nowrap text-muted',
      cell: ({ changedAt }) => <LocalTime at={changedAt} now={now} style="moment" />,
    },
    {
      head: t`Actions`,
      kind: 'actions',
      className: 'go number',
      cell: (audio) => <RowMenu audio={audio} canDelete={canDelete} onAct={(act) => onAct(act, audio)} />,
    },
  ];
  return (
    <div className="@container">
      <Table
        caption={t`Audios`}
        rows={audios}
        columns={columns.map((column) => ({ ...column, isBare: true }))}
        keyOf={({ id }) => id}
        isSelected={({ id }) => picked.ids.has(id)}
        sort={sort}
        look="data-table--cards data-table--pick"
      />
    </div>
  );
}

function recentPlaysOf(counts: Record<string, number>): Column<ManagedAudio> {
  return {
    head: t`28 days`,
    heading: (
      <>
        <Trans>
          28 days<span className="sr-only">, plays</span>
        </Trans>
      </>
    ),
    kind: 'number',
    headClass: '@max-[70rem]:hidden',
    className: 'wide-only @max-[70rem]:hidden',
    cell: ({ id }) => (counts[id] ? formatCount(counts[id]) : <span className="text-muted">·</span>),
  };
}

function AudioName({ audio }: { audio: ManagedAudio }) {
  if (audio.state === 'deleted') return <b className="max-w-[220px] truncate max-md:max-w-none">{audio.title}</b>;
  return (
    <Link
      className="max-w-[220px] truncate max-md:max-w-none"
      dir="auto"
      to={href('/studio/:voice/audios/:id', { voice: audio.voice.slug, id: audio.id })}
    >
      {audio.title}
    </Link>
  );
}

function RowMenu({
  audio,
  canDelete,
  onAct,
}: {
  audio: ManagedAudio;
  canDelete: boolean;
  onAct: (act: BulkAct) => void;
}) {
  const { key } = useLocation();
  const isOut = audio.state === 'published';
  const isHidden = audio.state === 'draft' || audio.state === 'unpublished';
  const trigger = (
    <IconButton label={t`More for ${{ title: audio.title }}`} icon={Ellipsis} size={40} className="noscript:hidden" />
  );
  if (audio.state === 'deleted')
    return canDelete ? (
      <button
        type="button"
        className="btn btn--secondary btn--small noscript:hidden"
        aria-label={t`Restore ${{ title: audio.title }}`}
        onClick={() => onAct('restore')}
      >
        {t`Restore`}
      </button>
    ) : null;
  return (
    <Menu closeKey={key} header={audio.title} trigger={trigger}>
      <MenuLink
        icon={Pencil}
        render={<Link to={href('/studio/:voice/audios/:id', { voice: audio.voice.slug, id: audio.id })} />}
      >
        {t`Edit`}
      </MenuLink>
      {isOut && (
        <MenuLink icon={ExternalLink} render={<Link to={href('/audio/:slug', { slug: audio.slug })} />}>
          {t`View page`}
        </MenuLink>
      )}
      {!isOut && (
        <MenuItem icon={Eye} onSelect={() => onAct('publish')}>
          {t`Publish now`}
        </MenuItem>
      )}
      {!isHidden && (
        <MenuItem icon={EyeOff} onSelect={() => onAct('unpublish')}>
          {audio.state === 'scheduled' ? t`Cancel schedule` : t`Unpublish`}
        </MenuItem>
      )}
      <MenuItem icon={audio.isFree ? Lock : LockOpen} onSelect={() => onAct(audio.isFree ? 'subscribers' : 'free')}>
        {audio.isFree ? t`For subscribers only` : t`Make free`}
      </MenuItem>
      {canDelete && <MenuSeparator />}
      {canDelete && (
        <MenuItem icon={Trash} onSelect={() => onAct('delete')}>
          {t`Delete`}
        </MenuItem>
      )}
    </Menu>
  );
}
