import LinkIcon from 'lucide-react/icons/link';
import ListPlus from 'lucide-react/icons/list-plus';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';

/** Puts one audio, or all of a list, into the queue; needs an account (spec §6). */
export function QueueButton({ label }: { label: 'Add to queue' | 'Add all to queue' }) {
  const askToSignIn = useSignInPrompt();
  return <IconButton icon={ListPlus} label={label} onClick={() => askToSignIn({ to: 'use your Queue' })} />;
}

/** Sharing needs an account (spec §6). @param props.name of what is shared */
export function CopyLinkButton({ name }: { name: string }) {
  const askToSignIn = useSignInPrompt();
  return <IconButton icon={LinkIcon} label="Copy link" onClick={() => askToSignIn({ to: `share ${name}` })} />;
}
