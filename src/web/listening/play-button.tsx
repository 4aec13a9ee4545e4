import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import type { LucideIcon } from 'lucide-react';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import Lock from 'lucide-react/icons/lock';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import type { ComponentProps, PointerEvent } from 'react';
import type { AudioItem } from '#domain/catalogue/audios.ts';
import type { ContentSource } from '#domain/analytics/forms.ts';
import { canPlay } from '#domain/listening/rules.ts';
import type { RestOfList } from './load-list.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { RoundButton } from '#web/ui/round-button.tsx';
import { isActive } from './playback.ts';
import { useListener, usePlayback, usePlayerCommands, usePlayerState } from './player-provider.tsx';
import { sourceOf } from './track-of.ts';
import { useDelayed } from './use-delayed.ts';

type PlayButtonProps = {
  /** Playback continues through this list. */
  audios: AudioItem[];
  /** Item to start; with `Play all`, the first that this listener may hear. */
  index: number;
  source: ContentSource;
  /** `round-small` is for covers, `quiet` for narrow lists. */
  variant: 'pill' | 'primary' | 'round' | 'round-small' | 'quiet';
  /** `Play all` */
  label?: string;
  /** Full list, read at the press and used instead of `audios`, for lists that load more. */
  within?: (() => AudioItem[]) | undefined;
  /** The list behind `audios`; playback continues through it too. */
  rest?: RestOfList | undefined;
  listName?: string | undefined;
};

const labels = { pause: () => t`Pause`, resume: () => t`Resume` };
const names = {
  play: (title: string) => t`Play ${title}`,
  pause: (title: string) => t`Pause ${title}`,
  resume: (title: string) => t`Resume ${title}`,
};
const previewNames = {
  play: (title: string) => t`Play the preview, ${title}`,
  pause: (title: string) => t`Pause the preview, ${title}`,
  resume: (title: string) => t`Resume the preview, ${title}`,
};

/** Says Resume when paused mid-track, Pause when playing, Play (on a phone: Play now) otherwise (spec §2). */
export function PlayButton({ audios, index, source, variant, label, within, rest, listName }: PlayButtonProps) {
  const viewer = useListener();
  const { press, preloadOnHover } = usePlayerCommands();
  const isWhole = label !== undefined;
  const first = isWhole
    ? Math.max(
        0,
        audios.findIndex((audio) => canPlay(viewer, audio)),
      )
    : index;
  // A list’s button shows the state of the item that is playing from the list.
  const shown = usePlayerState(({ current, status }) => {
    if (!isWhole || !current || status === 'idle' || sourceOf(current) !== source) return first;
    const at = audios.findIndex((audio) => audio.id === current.id);
    return at === -1 ? first : at;
  });
  const audio = audios[shown];
  const { status, inProgress, isCurrent } = usePlayback(audio?.id ?? '');
  const isBusy = useDelayed(status === 'loading');
  if (audio === undefined) return null;

  const isLocked = !canPlay(viewer, audio);
  const isPlaying = isActive(status);
  const resumes = inProgress && (!isWhole || isCurrent);
  const act = isPlaying ? 'pause' : resumes ? 'resume' : 'play';
  const { title } = audio;
  const icon = isBusy ? LoaderCircle : isLocked ? Lock : isPlaying ? Pause : Play;
  const button = {
    'aria-busy': isBusy || undefined,
    onClick: pressInList,
    // A touch presses at once, or scrolls.
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType !== 'touch' && preloadOnHover(audio),
    onPointerLeave: () => preloadOnHover(),
  };

  function pressInList(): void {
    const list = within?.() ?? audios;
    const at = list === audios ? shown : list.findIndex(({ id }) => id === audio?.id);
    press(list, at, source, listName, rest);
  }

  if (variant === 'pill' || variant === 'primary') {
    const words = (
      <>
        {act === 'play' && !isWhole ? (
          <>
            <span className="max-md:hidden">{t`Play`}</span>
            <span className="md:hidden">{t`Play now`}</span>
          </>
        ) : (
          <span>{act === 'play' ? label : labels[act]()}</span>
        )}
        <span className="sr-only">
          {isWhole ? isLocked && ` ${t`Locked`}` : ` ${isLocked ? t`${title}. Locked` : title}`}
        </span>
      </>
    );
    if (variant === 'primary') {
      return (
        <PrimaryButton icon={icon} {...button}>
          {words}
        </PrimaryButton>
      );
    }
    return (
      <>
        <Pill
          icon={icon}
          tone={act === 'play' ? 'quiet' : 'tinted'}
          className={isSolid(icon) ? undefined : outlined(icon)}
          {...button}
        >
          {words}
        </Pill>
        {isLocked && <PlainLock />}
      </>
    );
  }
  const plain = (source === 'preview' ? previewNames : names)[act](title);
  const name = isLocked ? t`${{ name: plain }}. Locked` : plain;
  if (variant === 'quiet') {
    return (
      <>
        <IconButton label={name} icon={icon} filled={isSolid(icon)} {...button} />
        {isLocked && <PlainLock />}
      </>
    );
  }
  return (
    <RoundButton
      label={name}
      icon={icon}
      size={variant === 'round-small' ? 40 : 48}
      busy={isBusy}
      className={isSolid(icon) ? undefined : outlined(icon)}
      {...button}
    />
  );
}

type PlayAllProps = Required<Pick<PlayButtonProps, 'audios' | 'source' | 'rest' | 'listName'>>;

/** Plays a list from its first audio on; renders nothing for an empty list. */
export function PlayAll(list: PlayAllProps) {
  return list.audios.length > 0 && <PlayButton {...list} index={0} variant="primary" label={t`Play all`} />;
}

function PrimaryButton({ icon, children, ...props }: { icon: LucideIcon } & ComponentProps<typeof Button>) {
  return (
    <Button variant="primary" size="lg" {...props}>
      <Icon of={icon} filled={isSolid(icon)} />
      {children}
    </Button>
  );
}

/** Without JavaScript there is no play button, but the lock still shows. */
function PlainLock() {
  return (
    <noscript className="plain-lock">
      <Icon of={Lock} size={16} />
      <span className="sr-only">
        <Trans>Locked</Trans>
      </span>
    </noscript>
  );
}

function isSolid(icon: LucideIcon): boolean {
  return icon === Play || icon === Pause;
}

/** Only the play and pause icons are filled. */
function outlined(icon: LucideIcon): string {
  return icon === LoaderCircle
    ? '[&_.icon]:animate-[spin_900ms_linear_infinite] [&_.icon]:fill-none'
    : '[&_.icon]:fill-none';
}
