import Heart from 'lucide-react/icons/heart';
import type { ContentSource } from '#domain/insight/forms.ts';
import { track } from '#web/insight/track.ts';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon.tsx';

type FavoriteSubject = {
  /** Of the audio, voice, category or playlist. */
  name: string;
  subjectId: string;
  source: ContentSource;
  /** Its cover, for the prompt. */
  imageUrl?: string | null;
};

/** What the button does, for the key that does the same. */
export function useFavoritePress(): (subject: FavoriteSubject) => void {
  const askToSignIn = useSignInPrompt();
  return ({ name, subjectId, source, imageUrl }) => {
    track('favorite_click', { source, subjectId });
    askToSignIn({ to: `keep “${name}”`, imageUrl });
  };
}

/** For those who are not logged in it toggles nothing: it asks them to, naming what they wanted to keep (spec §4, "Favourite button"). */
export function FavoriteButton({ look = 'icon', ...subject }: FavoriteSubject & { look?: 'icon' | 'button' }) {
  const pressFavorite = useFavoritePress();
  const { name } = subject;
  const press = () => pressFavorite(subject);
  if (look === 'button') {
    return (
      <Button variant="outline" size="lg" aria-pressed="false" aria-label={`Favorite ${name}`} onClick={press}>
        <Icon of={Heart} size={18} />
        Favorite
      </Button>
    );
  }
  return <IconButton className="fav" icon={Heart} label={`Favorite ${name}`} aria-pressed="false" onClick={press} />;
}
