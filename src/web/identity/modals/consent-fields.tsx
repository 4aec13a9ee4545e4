import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { href, Link } from 'react-router';
import type { ComponentProps } from 'react';
import { CheckBox } from '../../ui/fields/check-box.tsx';

type Consent = Omit<ComponentProps<typeof CheckBox>, 'children'>;

/** Age and terms; both are required (spec §5). */
export function ConsentFields({ tac, legal }: { tac: Consent; legal: Consent }) {
  return (
    <div className="grid grid-cols-1 gap-3 *:min-w-0">
      <CheckBox {...tac}>{t`I am at least 18 years old`}</CheckBox>
      <CheckBox {...legal}>
        <Trans>
          I accept the{' '}
          <Link className="ulink" to={href('/terms')} target="_blank" rel="noopener">
            Terms of Service
          </Link>{' '}
          and{' '}
          <Link className="ulink" to={href('/privacy')} target="_blank" rel="noopener">
            Privacy Policy
          </Link>
        </Trans>
      </CheckBox>
    </div>
  );
}
