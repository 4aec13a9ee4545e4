import type { Settings } from '../settings/open-settings.ts';
import * as forms from './forms.ts';

/** The parts of the look, each in its own row, so that two operators can edit different parts. */
export const lookSettings = {
  name: { key: 'look-name', schema: forms.NameForm },
  logo: { key: 'look-logo', schema: forms.LogoValue },
  icon: { key: 'look-icon', schema: forms.IconValue },
  card: { key: 'look-card', schema: forms.CardValue },
  colors: { key: 'look-colors', schema: forms.ColorsForm },
  hero: { key: 'look-hero', schema: forms.HeroForm },
  'hero-picture': { key: 'look-hero-picture', schema: forms.HeroPictureValue },
  'sign-up': { key: 'look-sign-up', schema: forms.SignUpForm },
  footer: { key: 'look-footer', schema: forms.FooterForm },
  home: { key: 'look-home', schema: forms.HomeForm },
} as const;

export const lookParts = Object.keys(lookSettings) as LookPart[];
export type LookPart = keyof typeof lookSettings;

/** Names in the audit log. */
export const partNames: Record<LookPart, string> = {
  name: 'Name of the site',
  logo: 'Logo',
  icon: 'Icon',
  card: 'Share card',
  colors: 'Colors',
  hero: 'Homepage headline',
  'hero-picture': 'Picture on Home',
  'sign-up': 'Note above the sign-up',
  footer: 'Footer',
  home: 'Rails on Home',
};

/** The current name. @param ofEnvironment `SITE_NAME` */
export function siteNameOf(settings: Pick<Settings, 'read'>, ofEnvironment: string): string {
  return settings.read(lookSettings.name).name ?? ofEnvironment;
}
