import { t } from '@lingui/core/macro';
import Heart from 'lucide-react/icons/heart';
import type { ContentSource } from '#domain/analytics/forms.ts';
import type { ContentTypeId } from '#domain/library/rules.ts';
import { logEvent } from '#web/analytics/log-event.ts';
import { useFavoriteState, useFavorites } from '#web/favorites/library-provider.tsx';
import { useSession } from '#web/identity/session-provider.tsx';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import type { Playable } from '#web/listening/track-of.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';

type FavoriteItem = {
  contentTypeId: ContentTypeId;
  /** Name of the audio, voice, category, playlist or user. */
  name: string;
  subjectId: string;
  source: ContentSource;
  /** Cover image, for the sign-in prompt. */
  imageUrl?: string | null;
};

export function audioFavorite(audio: Pick<Playable, 'id' | 'title' | 'imageUrl'>, source: ContentSource): FavoriteItem {
  return { contentTypeId: 'audio', name: audio.title, subjectId: audio.id, source, imageUrl: audio.imageUrl };
}

/**
 * The button’s action, also used by the keyboard shortcut and the menu.
 * @param onDone receives whether it is a favorite now
 */
export function useFavoritePress(): (item: FavoriteItem, onDone?: (isFavorite: boolean) => void) => void {
  const askToSignIn = useSignInPrompt();
  const favorites = useFavorites();
  const { user } = useSession();
  return ({ contentTypeId, name, subjectId, source, imageUrl }, onDone) => {
    const subject = { contentTypeId, id: subjectId, name };
    const isOn = favorites.stateOf(subject).startsWith('on');
    logEvent(isOn ? 'unfavorite_click' : 'favorite_click', { source, subjectId });
    askToSignIn({
      title: t`Sign in to keep “${name}”`,
      imageUrl,
      act() {
        // A visitor who logged in from this button wanted to add the favorite, so it must not be toggled off.
        if (user === null) return favorites.keep(subject);
        const isFavorite = favorites.toggle(subject);
        onDone?.(isFavorite);
      },
    });
  };
}

/**
 * Toggles at once and saves a moment later. For visitors it toggles nothing and opens a sign-in prompt that names the
 * item (spec §4, “Favourite button”).
 */
export function FavoriteButton({ variant = 'icon', ...item }: FavoriteItem & { variant?: 'icon' | 'button' }) {
  const pressFavorite = useFavoritePress();
  const { name, contentTypeId, subjectId } = item;
  const shown = useFavoriteState({ contentTypeId, id: subjectId });
  const isOn = shown === 'on' || shown === 'on-active';
  const props = {
    className: 'heart',
    'data-active': shown.endsWith('active') || undefined,
    'aria-pressed': isOn,
    onClick: () => pressFavorite(item),
  };
  const label = isOn ? t`Unfavorite ${name}` : t`Favorite ${name}`;
  if (variant === 'button') {
    return (
      <Button variant="outline" size="lg" aria-label={label} {...props}>
        <Icon of={Heart} size={18} />
        {isOn ? t`Unfavorite` : t`Favorite`}
      </Button>
    );
  }
  return <IconButton icon={Heart} label={label} {...props} />;
}
