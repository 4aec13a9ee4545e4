import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { LucideIcon } from 'lucide-react';
import ExternalLink from 'lucide-react/icons/external-link';
import FlaskConical from 'lucide-react/icons/flask-conical';
import Smartphone from 'lucide-react/icons/smartphone';
import type { ReactNode } from 'react';
import { ownPrefix, useRootData } from '../root-data.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/images/icon.tsx';
import type { AgePage } from './age-page.ts';
import { WalletWay } from './wallet-way.tsx';

export type AgeWaysProps = Pick<AgePage, 'ways' | 'provider' | 'wallet'> & {
  /** The check leads there. */
  to: string;
  /** Until the request runs out. */
  seconds: number;
};

/** The ways on offer: icon, name, sentence and act of each. */
export function AgeWays({ ways, provider, wallet, to, seconds }: AgeWaysProps) {
  const prefix = ownPrefix(useRootData());
  return (
    <div className="age-ways">
      {wallet && (
        <Way
          icon={Smartphone}
          name={t`Age verification app or EU wallet`}
          text={t`The app of the European Union, or your country’s wallet.`}
        >
          <WalletWay wallet={wallet} to={to} seconds={seconds} />
        </Way>
      )}
      {provider && (
        <Way
          icon={ExternalLink}
          name={provider.name}
          text={t`You go to ${{ host: provider.host }} and come back here.`}
        >
          <a className="btn btn--secondary" href={`${prefix}/age/provider?to=${encodeURIComponent(to)}`} rel="nofollow">
            {t({ message: 'Continue', context: 'to an age provider' })}
          </a>
        </Way>
      )}
      {ways.includes('stand-in') && (
        <Way
          icon={FlaskConical}
          name={
            <>
              {t`Stand-in wallet`} <span className="age-way__tag">{t`Test only`}</span>
            </>
          }
          text={t`This site runs on your own machine. Nothing is proven.`}
          isTest
        >
          <form method="post" action="/age/stand-in" className="age-way__act">
            <input type="hidden" name="to" value={to} />
            <Button type="submit" width="full">
              <Trans context="stand-in wallet">Use it</Trans>
            </Button>
          </form>
        </Way>
      )}
    </div>
  );
}

type WayProps = { icon: LucideIcon; name: ReactNode; text: string; isTest?: boolean; children: ReactNode };

function Way({ icon, name, text, isTest, children }: WayProps) {
  return (
    <section className="age-way" data-test={isTest || undefined}>
      <span className="age-way__icon">
        <Icon of={icon} />
      </span>
      <div>
        <h2>{name}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  );
}
