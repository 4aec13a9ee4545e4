import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Dispatch, SetStateAction } from 'react';
import { Link, useRevalidator } from 'react-router';
import { preferenceNames, type PreferenceName, type Preferences } from '#domain/identity/preference-rules.ts';
import { logEvent } from '../analytics/log-event.ts';
import { useSession } from '../identity/session-provider.tsx';
import { useIsOn } from '../root-data.ts';
import { MenuChoice, MenuItem, MenuLink, MenuSeparator, MenuSwitch } from '../ui/layers/menu-items.tsx';
import { useToast } from '../ui/layers/toast.tsx';
import { useMinWidth } from '../ui/use-media-query.ts';
import { LanguageChoice } from './language-choice.tsx';
import { navigation } from './navigation.ts';
import { choosePreferences } from '../identity/preferences.ts';
import type { ShellSite } from './shell-site.ts';
import { keepTheme, themes } from './theme.ts';

type SiteMenuItemsProps = {
  theme: ShellSite['theme'];
  setTheme: (theme: ShellSite['theme']) => void;
  preferences: Preferences;
  setPreferences: Dispatch<SetStateAction<Preferences>>;
};

const preferenceLabels: Partial<Record<PreferenceName, () => string>> = { isDiscreet: () => t`Discreet mode` };

/** The menu’s button keeps the choices, because the items unmount with the menu. */
export function SiteMenuItems({ theme, setTheme, preferences, setPreferences }: SiteMenuItemsProps) {
  const { revalidate } = useRevalidator();
  // The choice shows at once; offline, a revalidation would fail and revert it.
  const refresh = () => {
    if (navigator.onLine) void revalidate();
  };
  const { user, openModal } = useSession();
  const takesAccounts = useIsOn('signUp');
  // There it is in the header.
  const isNavigationShown = useMinWidth(1024);
  const showToast = useToast();

  async function change(name: PreferenceName, isOn: boolean): Promise<void> {
    setPreferences((before) => ({ ...before, [name]: isOn }));
    const answer = await choosePreferences(user, { [name]: isOn });
    if (answer.ok) return refresh();
    setPreferences((before) => ({ ...before, [name]: !isOn }));
    showToast({ text: answer.message });
  }

  return (
    <>
      {!isNavigationShown && (
        <>
          {navigation.map(({ label, to, event }) => (
            <MenuLink key={to} render={<Link to={to} onClick={() => logEvent(event)} />}>
              {label()}
            </MenuLink>
          ))}
          <MenuSeparator />
        </>
      )}
      {user === null && (
        <>
          <MenuItem onSelect={() => openModal('log-in')}>
            <Trans>Sign in</Trans>
          </MenuItem>
          {takesAccounts && (
            <MenuItem onSelect={() => openModal('sign-up')}>
              <Trans>Sign up</Trans>
            </MenuItem>
          )}
        </>
      )}
      <MenuItem onSelect={() => openModal('app')}>
        <Trans>Download our app</Trans>
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label={t`Theme`}
        value={theme}
        options={themes()}
        onChange={(chosen) => {
          setTheme(chosen);
          keepTheme(chosen);
          refresh();
        }}
      />
      <LanguageChoice />
      <MenuSeparator />
      {preferenceNames.map((name) => {
        const label = preferenceLabels[name]?.();
        return (
          label && (
            <MenuSwitch key={name} checked={preferences[name]} onChange={(isOn) => void change(name, isOn)}>
              {label}
            </MenuSwitch>
          )
        );
      })}
    </>
  );
}
