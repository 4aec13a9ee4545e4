import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Button } from '#web/ui/button.tsx';

/** The two ways in, for a page that is empty without an account. @param props.to what the account is for */
export function LogInButtons({ to }: { to: string }) {
  const askToSignIn = useSignInPrompt();
  return (
    <div className="empty__a">
      <Button variant="primary" onClick={() => askToSignIn({ to })}>
        Get Started
      </Button>
      <Button variant="outline" onClick={() => askToSignIn({ to })}>
        Log in
      </Button>
    </div>
  );
}
