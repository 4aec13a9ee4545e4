import { Trans } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import BookmarkPlus from 'lucide-react/icons/bookmark-plus';
import { useState } from 'react';
import { useSignInPrompt } from '#web/identity/prompts.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/images/icon.tsx';
import { useLateLayer } from '#web/ui/layers/use-late-layer.ts';
import type { ListFilters } from './load-filters.ts';

const loadDialog = () => import('./save-mix-dialog.tsx');

export type SaveMixProps = {
  filters: ListFilters;
  /** As of `FilteredList`. */
  place: string;
  /** Name of the category or creator; empty for all audios. */
  placeName: string;
  /** Order of the place. */
  defaultSort: string;
};

/** Saves the filters of a list in the Library, or those of the mix that it was opened from. */
export function SaveMix(props: SaveMixProps) {
  const { mix } = props.filters;
  const askToSignIn = useSignInPrompt();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const dialog = useLateLayer(loadDialog, isOpen, close);
  if (mix?.isChanged === false) return null;
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="noscript:hidden"
        onClick={() => askToSignIn({ title: t`Sign in to save a mix`, act: () => setIsOpen(true) })}
      >
        <Icon of={BookmarkPlus} size={18} />
        {mix ? <Trans>Save changes</Trans> : <Trans>Save as a mix</Trans>}
      </Button>
      {dialog && isOpen && <dialog.SaveMixDialog {...props} onClose={close} />}
    </>
  );
}
