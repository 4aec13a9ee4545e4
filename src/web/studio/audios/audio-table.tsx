/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- as cards on a phone, table elements lose their roles */
import Ellipsis from 'lucide-react/icons/ellipsis';
import ExternalLink from 'lucide-react/icons/external-link';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Lock from 'lucide-react/icons/lock';
import LockOpen from 'lucide-react/icons/lock-open';
import Pencil from 'lucide-react/icons/pencil';
import Trash from 'lucide-react/icons/trash-2';
import { href, Link, useLocation } from 'react-router';
import { countOf, formatCount } from '#formats/numbers.ts';
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
import { SortHead } from '../../workshop/lists/sorting.tsx';
import type { SortOption } from '../../workshop/lists/sorting.tsx';
import { PublicationMark } from '../../workshop/state-mark.tsx';
import type { Picked } from '../../workshop/lists/use-picked.ts';

const changed = { value: 'changed', label: 'Last changed first', direction: 'descending' } as const;
const plays = { value: 'plays', label: 'Most plays first', direction: 'descending' } as const;
const title = { value: 'title', label: 'Title A to Z', direction: 'ascending' } as const;
const longest = { value: 'longest', label: 'Longest first', direction: 'descending' } as const;

export const audioSorts: SortOption<ManagedSort>[] = [changed, plays, title, longest];

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
  const count = picked.ids.size;
  return (
    <div className="@container">
      <table className="data-table data-table--cards data-table--pick" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader" className="narrowest">
              <PickBox
                label="Select all on this page"
                isPicked={count > 0 && count === audios.length}
                isMixed={count > 0 && count < audios.length}
                onChange={picked.pickAll}
              />
            </th>
            <SortHead option={title} current={sort}>
              Audio
            </SortHead>
            <th scope="col" role="columnheader">
              State
            </th>
            <th scope="col" role="columnheader">
              Access
            </th>
            <th scope="col" role="columnheader">
              Categories
            </th>
            <SortHead option={longest} current={sort} className="number">
              Length
            </SortHead>
            <SortHead option={plays} current={sort} className="number">
              Plays
            </SortHead>
            {recentPlays !== undefined && (
              <th scope="col" role="columnheader" className="number @max-[70rem]:hidden">
                28 days<span className="sr-only">, plays</span>
              </th>
            )}
            <SortHead option={changed} current={sort}>
              Changed
            </SortHead>
            <th scope="col" role="columnheader">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {audios.map((audio) => (
            <AudioRow
              key={audio.id}
              audio={audio}
              isPicked={picked.ids.has(audio.id)}
              onPick={(isPicked) => picked.pick(audio.id, isPicked)}
              now={now}
              withVoice={withVoices}
              canDelete={canDelete}
              recentPlays={recentPlays === undefined ? undefined : (recentPlays[audio.id] ?? 0)}
              onAct={(act) => onAct(act, audio)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type AudioRowProps = {
  audio: ManagedAudio;
  isPicked: boolean;
  onPick: (isPicked: boolean) => void;
  now: number;
  withVoice: boolean;
  canDelete: boolean;
  recentPlays: number | undefined;
  onAct: (act: BulkAct) => void;
};

function AudioRow({ audio, isPicked, onPick, now, withVoice, canDelete, recentPlays, onAct }: AudioRowProps) {
  const isOut = audio.state === 'published';
  const hasPlays = audio.plays > 0 || isOut;
  return (
    <tr role="row" {...(isPicked && { 'data-selected': '', 'aria-selected': true })}>
      <td role="cell" className="pick narrowest">
        <PickBox label={`Select ${audio.title}`} isPicked={isPicked} onChange={onPick} />
      </td>
      <td role="cell" className="main">
        <div className="cell">
          <Cover imageUrl={audio.imageUrl} size={40} />
          <div>
            <AudioName audio={audio} />
            {withVoice && <small>{audio.voice.name}</small>}
            {audio.hasChanges && <small>Changes not public yet</small>}
          </div>
        </div>
      </td>
      <td role="cell" className="card-meta">
        <PublicationMark of={audio} now={now} />
        <span className="text-muted md:hidden">
          <LocalTime at={audio.changedAt} now={now} style="moment" />
        </span>
      </td>
      <td role="cell" className="card-meta">
        <span className={audio.isFree ? 'access' : 'access text-muted'}>
          <Icon of={audio.isFree ? LockOpen : Lock} size={16} />
          {audio.isFree ? 'Free' : 'Subscribers'}
        </span>
        <span className="text-muted md:hidden">{formatTime(audio.numberDuration)}</span>
        {hasPlays && <span className="text-muted md:hidden">{countOf(audio.plays, 'play')}</span>}
      </td>
      <td role="cell" className="wide-only text-muted">
        <span className="block max-w-[150px] truncate">{audio.categories.join(', ')}</span>
      </td>
      <td role="cell" className="number wide-only">
        {formatTime(audio.numberDuration)}
      </td>
      <td role="cell" className="number wide-only">
        {hasPlays ? formatCount(audio.plays) : <span className="text-muted">·</span>}
      </td>
      {recentPlays !== undefined && (
        <td role="cell" className="number wide-only @max-[70rem]:hidden">
          {recentPlays > 0 ? formatCount(recentPlays) : <span className="text-muted">·</span>}
        </td>
      )}
      <td role="cell" className="wide-only whitespace-nowrap text-muted">
        <LocalTime at={audio.changedAt} now={now} style="moment" />
      </td>
      <td role="cell" className="go number narrowest">
        <RowMenu audio={audio} canDelete={canDelete} onAct={onAct} />
      </td>
    </tr>
  );
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
    <IconButton label={`More for ${audio.title}`} icon={Ellipsis} size={40} className="noscript:hidden" />
  );
  if (audio.state === 'deleted')
    return canDelete ? (
      <button type="button" className="btn btn--secondary btn--small noscript:hidden" onClick={() => onAct('restore')}>
        Restore<span className="sr-only"> {audio.title}</span>
      </button>
    ) : null;
  return (
    <Menu closeKey={key} header={audio.title} trigger={trigger}>
      <MenuLink
        icon={Pencil}
        render={<Link to={href('/studio/:voice/audios/:id', { voice: audio.voice.slug, id: audio.id })} />}
      >
        Edit
      </MenuLink>
      {isOut && (
        <MenuLink icon={ExternalLink} render={<Link to={href('/audio/:slug', { slug: audio.slug })} />}>
          View page
        </MenuLink>
      )}
      {!isOut && (
        <MenuItem icon={Eye} onSelect={() => onAct('publish')}>
          Publish now
        </MenuItem>
      )}
      {!isHidden && (
        <MenuItem icon={EyeOff} onSelect={() => onAct('unpublish')}>
          {audio.state === 'scheduled' ? 'Cancel schedule' : 'Unpublish'}
        </MenuItem>
      )}
      <MenuItem icon={audio.isFree ? Lock : LockOpen} onSelect={() => onAct(audio.isFree ? 'subscribers' : 'free')}>
        {audio.isFree ? 'For subscribers only' : 'Make free'}
      </MenuItem>
      {canDelete && <MenuSeparator />}
      {canDelete && (
        <MenuItem icon={Trash} onSelect={() => onAct('delete')}>
          Delete
        </MenuItem>
      )}
    </Menu>
  );
}
