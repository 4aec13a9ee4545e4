import Heart from 'lucide-react/icons/heart';
import type { ContentSource } from '#domain/insight/forms.ts';
import type { ContentTypeId } from '#domain/library/rules.ts';
import { track } from '#web/insight/track.ts';
import { useFavoriteLook, useFavorites } from '#web/library/library-provider.tsx';
import { useSession } from '#web/identity/session-provider.tsx';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon.tsx';

export type FavoriteItem = {
  contentTypeId: ContentTypeId;
  /** Of the audio, voice, category, playlist or user. */
  name: string;
  subjectId: string;
  source: ContentSource;
  /** Its cover, for the prompt. */
  imageUrl?: string | null;
};

/** What the button does, for the key and the menu that do the same. @param onDone told whether it is a favourite now */
export function useFavoritePress(): (item: FavoriteItem, onDone?: (isFavorite: boolean) => void) => void {
  const askToSignIn = useSignInPrompt();
  const favorites = useFavorites();
  const { user } = useSession();
  return ({ contentTypeId, name, subjectId, source, imageUrl }, onDone) => {
    const subject = { contentTypeId, id: subjectId, name };
    const isOn = favorites.lookOf(subject).startsWith('on');
    track(isOn ? 'unfavorite_click' : 'favorite_click', { source, subjectId });
    askToSignIn({
      to: `keep “${name}”`,
      imageUrl,
      act() {
        // Whoever logged in meanwhile wanted to keep it, whatever they kept before.
        if (user === null) return favorites.keep(subject);
        const isFavorite = favorites.toggle(subject);
        onDone?.(isFavorite);
      },
    });
  };
}

/**
 * Toggles at once and saves a moment later. For those who are not logged in it toggles nothing: it asks them to, naming
 * what they wanted to keep (spec §4, "Favourite button").
 */
export function FavoriteButton({ look = 'icon', ...item }: FavoriteItem & { look?: 'icon' | 'button' }) {
  const pressFavorite = useFavoritePress();
  const { name, contentTypeId, subjectId } = item;
  const shown = useFavoriteLook({ contentTypeId, id: subjectId });
  const isOn = shown === 'on' || shown === 'on-active';
  const props = {
    className: classNames('fav', isOn && 'is-on', shown.endsWith('active') && 'is-active'),
    'aria-pressed': isOn,
    onClick: () => pressFavorite(item),
  };
  const act = isOn ? 'Unfavorite' : 'Favorite';
  if (look === 'button') {
    return (
      <Button variant="outline" size="lg" aria-label={`${act} ${name}`} {...props}>
        <Icon of={Heart} size={18} />
        {act}
      </Button>
    );
  }
  return <IconButton icon={Heart} label={`${act} ${name}`} {...props} />;
}
