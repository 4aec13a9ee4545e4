import { t } from '@lingui/core/macro';
import { ConfirmEmail as Confirmation } from '../../identity/confirm-email.tsx';
import { linkPageMeta } from '../../identity/link-page.tsx';
import type { Route } from './+types/confirm-email';

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: t`Confirm your email`, description: t`Confirm the new email of your account.` });
}

export default function ConfirmEmail() {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[420px] pt-16">
        <Confirmation />
      </div>
    </div>
  );
}
