import { t } from '@lingui/core/macro';
import { NewPassword } from '../../identity/new-password.tsx';
import { linkPageMeta } from '../../identity/link-page.tsx';
import type { Route } from './+types/reset-password';

export function meta(args: Route.MetaArgs) {
  return linkPageMeta(args, { title: t`Set a new password`, description: t`Choose a new password for your account.` });
}

export default function ResetPassword() {
  return (
    <div className="wrap">
      <div className="mx-auto max-w-[420px] pt-16">
        <NewPassword />
      </div>
    </div>
  );
}
