import { t } from '@lingui/core/macro';
import type { ComponentProps } from 'react';
import { Button } from '../ui/button.tsx';

/** The answers to “Are you 18 or older?”, which works as a plain form, too. @param to where a plain answer leads */
export function AgeAnswers({ to, busy, ...form }: { to: string; busy?: string | undefined } & ComponentProps<'form'>) {
  return (
    <form className="form" method="post" action="/age/statement" {...form}>
      <input type="hidden" name="to" value={to} />
      <Button type="submit" name="answer" value="yes" variant="primary" size="lg" width="full" busy={busy}>
        {t`I am at least 18`}
      </Button>
      <Button type="submit" name="answer" value="no" variant="outline" size="lg" width="full">
        {t`I am under 18`}
      </Button>
    </form>
  );
}

export const ageQuestion = {
  title: () => t`Are you 18 or older?`,
  text: (siteName: string) =>
    t`The audios on ${siteName} are for adults. We ask once on this device and keep your answer, nothing else.`,
};
