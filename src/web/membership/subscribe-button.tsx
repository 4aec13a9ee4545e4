import { useSession } from '../identity/session-provider.tsx';
import { useSubscribePrompt } from '../identity/prompts.tsx';
import { Button } from '../ui/button.tsx';

type SubscribeButtonProps = { variant?: 'primary' | 'outline'; className?: string; children: string };

/** Opens the subscribe banner, whose code loads when the button is about to be pressed. */
export function SubscribeButton({ variant = 'primary', ...props }: SubscribeButtonProps) {
  const { preloadModals } = useSession();
  const askToSubscribe = useSubscribePrompt();
  return (
    <Button
      variant={variant}
      onClick={() => askToSubscribe()}
      onPointerEnter={preloadModals}
      onFocus={preloadModals}
      {...props}
    />
  );
}
