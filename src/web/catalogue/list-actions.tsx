import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import { useLocation } from 'react-router';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { useCopyLink } from '#web/shell/use-copy-link.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

/** Puts one audio, or all of a list, into the queue; needs an account (spec §6). */
export function QueueButton({ label }: { label: 'Add to queue' | 'Add all to queue' }) {
  const askToSignIn = useSignInPrompt();
  return <IconButton icon={ListPlus} label={label} onClick={() => askToSignIn({ to: 'use your Queue' })} />;
}

/** Of the page it stands on. @param props.name what the page shows */
export function CopyLinkButton({ name }: { name: string }) {
  const copyLink = useCopyLink();
  const { pathname } = useLocation();
  return (
    <IconButton
      icon={LinkIcon}
      label="Copy link"
      onClick={() => copyLink({ name, address: window.location.origin + pathname })}
    />
  );
}
