import type { ComponentProps, ReactNode } from 'react';
import { type SocialProvider, socialProviders } from '#domain/identity/social-rules.ts';
import { Button } from '../../ui/button.tsx';

function GoogleMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M23 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.2a5.3 5.3 0 0 1-2.3 3.5v2.9h3.7c2.2-2 3.4-5 3.4-8.6z"
      />
      <path
        fill="#34A853"
        d="M12 23.5c3.1 0 5.7-1 7.6-2.8l-3.7-2.9c-1 .7-2.4 1.1-3.9 1.1-3 0-5.5-2-6.4-4.8H1.8v3A11.5 11.5 0 0 0 12 23.5z"
      />
      <path fill="#FBBC05" d="M5.6 14.1a6.9 6.9 0 0 1 0-4.3v-3H1.8a11.5 11.5 0 0 0 0 10.3z" />
      <path
        fill="#EA4335"
        d="M12 5.1c1.7 0 3.2.6 4.4 1.7l3.3-3.3A11.5 11.5 0 0 0 1.8 6.8l3.8 3C6.5 7.1 9 5.1 12 5.1z"
      />
    </svg>
  );
}

function FacebookMark() {
  return (
    <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#5B9BFF"
        d="M24 12a12 12 0 1 0-13.9 11.9v-8.4H7.1V12h3V9.4c0-3 1.8-4.7 4.5-4.7 1.3 0 2.7.2 2.7.2v3h-1.5c-1.5 0-2 .9-2 1.9V12h3.4l-.5 3.5h-2.9v8.4A12 12 0 0 0 24 12z"
      />
    </svg>
  );
}

/** The companies’ own logos, in their colors. */
const marks: Record<SocialProvider, () => ReactNode> = { google: GoogleMark, facebook: FacebookMark };

type SocialButtonProps = Omit<ComponentProps<typeof Button>, 'children'> & {
  provider: SocialProvider;
  /** Default: the provider’s name. */
  label?: string;
};

/** The provider’s logo, with its name or another label. */
export function SocialButton({ provider, label = socialProviders[provider].name, ...button }: SocialButtonProps) {
  const Mark = marks[provider];
  return (
    <Button {...button}>
      <Mark />
      {label}
    </Button>
  );
}
