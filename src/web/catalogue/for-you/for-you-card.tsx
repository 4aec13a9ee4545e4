import { t } from '@lingui/core/macro';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Lock from 'lucide-react/icons/lock';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { use } from 'react';
import { canPlay } from '#domain/listening/rules.ts';
import { formatTime } from '#formats/durations.ts';
import { language } from '#i18n';
import type { SuggestedCard, Suggestion } from '#suggestions/mix.ts';
import { isActive } from '../../listening/playback.ts';
import { useListener, usePlayback, usePlayerCommands } from '../../listening/player-provider.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Glyph } from '../../ui/images/glyph.tsx';
import { Icon } from '../../ui/images/icon.tsx';
import { Menu } from '../../ui/layers/menu.tsx';
import { MenuItem, MenuSeparator } from '../../ui/layers/menu-items.tsx';
import { type MenuRest, MenuRestContext } from '../../ui/layers/menu-parts.ts';
import { RoundButton } from '../../ui/round-button.tsx';
import { AudioLink } from '../content-link.tsx';
import { ForeignMark } from '../foreign-language.tsx';
import { reasonText } from './reason-text.tsx';

type ForYouCardProps = {
  suggestion: Suggestion;
  listName: string;
  isDiscreet: boolean;
  onWhy: (rest: MenuRest | undefined) => void;
};

const loadItems = () => import('../audio-menu-items.tsx');

/** Asks the site for nothing before it is pressed: neither for its cover nor for its sound. */
export function ForYouCard({ suggestion, listName, isDiscreet, onWhy }: ForYouCardProps) {
  const viewer = useListener();
  const { audio } = suggestion;
  const { title, voice } = audio;
  return (
    <div className="card">
      <AudioLink className="block rounded-cover" audio={audio} source="homepage">
        <span className="cover">
          <SmallCover audio={audio} />
          {audio.badge && <span className="cover__tag">{audio.badge}</span>}
          {!canPlay(viewer, audio) && (
            <span className="cover__lock for-you__lock">
              <Icon of={Lock} size={16} />
            </span>
          )}
        </span>
        <span className="for-you__text">
          <span className="card__title line-clamp-2">{title}</span>
          <span className="card__line block truncate">
            <bdi>{voice.name}</bdi>
            <span className="dot tabular-nums">{formatTime(audio.numberDuration)}</span>
            <ForeignMark tag={audio.language} />
          </span>
          {!isDiscreet && (
            <span className="for-you__why line-clamp-2" lang={language()}>
              {reasonText(suggestion)}
            </span>
          )}
        </span>
      </AudioLink>
      <div className="card__play">
        <div className="cover__play">
          <PlaySuggested audio={audio} listName={listName} />
        </div>
      </div>
      <div className="for-you__more">
        <Menu
          load={loadItems}
          trigger={<IconButton icon={Ellipsis} label={t`More for ${title}`} />}
          header={
            <>
              <span className="cover cover--48">
                <SmallCover audio={audio} />
              </span>
              <p className="min-w-0 flex-1">
                <b className="truncate block font-semibold">{title}</b>
                <span className="text-13 text-muted">{voice.name}</span>
              </p>
            </>
          }
        >
          {(items) => (
            <>
              <WhyItem onWhy={onWhy} />
              <MenuSeparator />
              <items.AudioMenuItems audio={audio} source="homepage" />
            </>
          )}
        </Menu>
      </div>
    </div>
  );
}

function WhyItem({ onWhy }: Pick<ForYouCardProps, 'onWhy'>) {
  const rest = use(MenuRestContext);
  return (
    <MenuItem icon={CircleQuestionMark} onSelect={() => onWhy(rest)}>
      {t`Why this?`}
    </MenuItem>
  );
}

/** From the block of the card: an address of its own would tell which of them is shown. */
export function SmallCover({ audio: { picture } }: { audio: SuggestedCard }) {
  if (picture === null)
    return (
      <span className="grid h-full place-items-center p-[20%] text-muted">
        <Glyph />
      </span>
    );
  return <img src={`data:image/avif;base64,${picture}`} alt="" width={256} height={256} decoding="async" />;
}

/** Starts this audio alone: the queue is kept by the site, and others have not been played. */
export function PlaySuggested({ audio, listName }: { audio: SuggestedCard; listName: string }) {
  const viewer = useListener();
  const { press } = usePlayerCommands();
  const { status, inProgress } = usePlayback(audio.id);
  const { title } = audio;
  const isLocked = !canPlay(viewer, audio);
  const isPlaying = isActive(status);
  const name = isPlaying ? t`Pause ${title}` : inProgress ? t`Resume ${title}` : t`Play ${title}`;
  return (
    <RoundButton
      label={isLocked ? t`${{ name }}. Locked` : name}
      icon={isLocked ? Lock : isPlaying ? Pause : Play}
      size={40}
      busy={status === 'loading'}
      onClick={() => press([audio], 0, 'homepage', listName)}
    />
  );
}
