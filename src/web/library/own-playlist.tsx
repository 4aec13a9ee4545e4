import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import Pencil from 'lucide-react/icons/pencil';
import { useId, useRef, useState } from 'react';
import { href, Link } from 'react-router';
import type { AudioRowItem } from '#domain/catalogue/audios.ts';
import type { UserPlaylist } from '#domain/library/user-playlists.ts';
import type { Page } from '#domain/kernel/pages.ts';
import { DetailHead } from '#web/catalogue/detail-head.tsx';
import { DownloadAllButton, ShareButton } from '#web/catalogue/list-actions.tsx';
import { formatDuration } from '#formats/durations.ts';
import { PlayAll } from '#web/listening/play-button.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/images/icon.tsx';
import { CoverPickers } from './cover-pickers.tsx';
import { OwnPlaylistMenu } from './own-playlist-menu.tsx';
import { OwnPlaylistRows } from './own-playlist-rows.tsx';
import { playlistFontClass, UserPlaylistCover } from './user-playlist-cover.tsx';
import { usePlaylistFacts } from './use-playlist-facts.ts';
import { usePlaylistItems } from './use-playlist-items.ts';

/** A playlist as its owner sees it, with all parts editable in place. */
export function OwnPlaylist({ playlist: asMade, page }: { playlist: UserPlaylist; page: Page<AudioRowItem> }) {
  const { playlist, choose, rename } = usePlaylistFacts(asMade);
  const list = useRef<HTMLDivElement>(null);
  const items = usePlaylistItems({ playlist, page, list });
  const [isEditing, setIsEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const pickersId = useId();
  const { title, isPublic, plays } = playlist;
  const { totalAudios } = items;
  const path = `/v1/api/users-playlists/${playlist.id}/audios`;
  return (
    <div className="wrap">
      <DetailHead variant="small" cover={<UserPlaylistCover playlist={playlist} size="big" />}>
        <p className="eyebrow">
          <Link className="hover:text-text" to={`${href('/library')}?tab=own`}>
            {t`Your playlist`}
          </Link>
          <span className="dot">{isPublic ? t`Public` : t`Private`}</span>
        </p>
        <h1 className={classNames('mt-2', playlistFontClass(playlist.font, 'heading'))} tabIndex={-1}>
          {title}
        </h1>
        <div className="acts">
          <PlayAll
            audios={items.items}
            source="userPlaylist"
            rest={{ path, cursor: items.pages.nextCursor }}
            listName={title}
          />
          <Button
            variant="outline"
            ref={opener}
            aria-expanded={isEditing}
            aria-controls={pickersId}
            onClick={() => setIsEditing(!isEditing)}
          >
            <Icon of={Pencil} size={18} />
            <Trans>Edit cover</Trans>
          </Button>
          {isPublic && <ShareButton name={title} />}
          {items.items.length > 0 && <DownloadAllButton name={title} list={path} />}
          <OwnPlaylistMenu playlist={playlist} onChoose={(change) => void choose(change)} onRename={rename} />
        </div>
        <p className="meta tabular-nums mt-5">
          <span>{plural(totalAudios, { one: '# audio', other: '# audios' })}</span>
          {totalAudios > 0 && <span className="dot">{formatDuration(items.totalDuration)}</span>}
          <span className="dot">{plural(plays, { one: '# play', other: '# plays' })}</span>
        </p>
      </DetailHead>
      {/* Below the heading, so that it does not move. */}
      <div id={pickersId} hidden={!isEditing}>
        {isEditing && (
          <div className="mt-6 grid justify-items-start gap-4">
            <CoverPickers playlist={playlist} onChoose={(change) => void choose(change)} />
            <Button
              variant="primary"
              size="sm"
              onClick={() => {
                setIsEditing(false);
                opener.current?.focus();
              }}
            >
              {t`Done`}
            </Button>
          </div>
        )}
      </div>
      <div className="mt-10">
        {items.items.length === 0 && items.pages.nextCursor === undefined ? (
          <EmptyState title={t`No audios`} text={t`Add some from the menu of any row, or of an audio’s own page.`}>
            <Button variant="primary" render={<Link to={href('/audios')} />}>
              {t`Browse new audios`}
            </Button>
          </EmptyState>
        ) : (
          <OwnPlaylistRows name={title} list={list} items={items} />
        )}
      </div>
    </div>
  );
}
