import { href, Link } from 'react-router';
import { useSignInPrompt } from '#web/shell/sign-in-prompt.tsx';
import { Button } from '#web/ui/button.tsx';

/** The one thing to do on the front page. Without script it leads to the page that says what to do. */
export function StartTrialButton() {
  const askToSignIn = useSignInPrompt();
  return (
    <Button
      variant="primary"
      size="lg"
      render={<Link to={href('/library')} />}
      onClick={(event) => {
        event.preventDefault();
        askToSignIn({ to: 'start your free trial' });
      }}
    >
      Start free trial
    </Button>
  );
}
