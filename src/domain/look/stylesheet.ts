import type { z } from 'zod';
import type { ColorsForm, LogoValue } from './forms.ts';
import { type ThemeName, checkColors, defaultColors, tokenNames } from './rules.ts';

type Colors = z.output<typeof ColorsForm>;
type Logos = z.output<typeof LogoValue>;

const height = 32;
/** Wider ones would push the navigation away. */
const maxWidth = 180;

/** The stylesheet of a changed look, loaded after the site's own; undefined for the default look. */
export function stylesheetOf(colors: Colors, logo: Logos): string | undefined {
  const css = colorRules('dark', colors) + colorRules('light', colors) + logoRules(logo);
  return css === '' ? undefined : css;
}

function colorRules(theme: ThemeName, colors: Colors): string {
  const given = colors[theme];
  if (given === null) return '';
  const { tokens } = checkColors(theme, given);
  const rules = tokenNames.map((name) => `--${name}:${tokens[name]}`).join(';');
  if (theme === 'light') return inLight('', rules);
  // The hero's picture fades into the ground color, which tokens.css cannot know.
  const fade = `.hero[data-theme]::after{background:linear-gradient(180deg,${tokens.bg}4d,transparent 16%,transparent 62%,var(--bg) 100%)}@media(max-width:767px){.hero[data-theme]::after{background:linear-gradient(180deg,${tokens.bg}59,transparent 18%,transparent 36%,${tokens.bg}db 58%,var(--bg) 76%)}}`;
  return `:root,[data-theme=dark]{${rules}}${fade}`;
}

/** By the reader's choice, otherwise by their system's setting. */
function inLight(selector: string, rules: string): string {
  return `:root[data-theme=light]${selector}{${rules}}@media(prefers-color-scheme:light){:root:not([data-theme])${selector}{${rules}}}`;
}

function logoRules({ dark, light }: Logos): string {
  const first = dark ?? light;
  if (first === null) return '';
  const picture = ({ key, width, height: ofPicture }: NonNullable<Logos['dark']>) =>
    `width:${Math.round(Math.min((width / ofPicture) * height, maxWidth))}px;background-image:url(/${key})`;
  const hidden = '.logo__mark,.logo__word,.logo>span{display:none!important}';
  const shown = `.logo::before{content:"";height:${height}px;background:center/contain no-repeat;${picture(first)}}`;
  if (light === null || dark === null) return hidden + shown;
  // The header over a picture is dark in both themes.
  return `${hidden}${shown}${inLight(' .logo::before', picture(light))}${inLight(' [data-theme=dark] .logo::before', picture(dark))}`;
}

/** Colors of the browser's own parts and of pages that stand alone. */
export function pageColors(colors: Colors): Record<ThemeName, { ground: string; accent: string }> {
  return { dark: colors.dark ?? defaultColors.dark, light: colors.light ?? defaultColors.light };
}
