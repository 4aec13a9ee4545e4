/** Colors of the look: derives all colors from accent and ground, and checks contrast (WCAG 2.2 AA). */

export const lookLengths = {
  name: 40,
  heroTitle: 60,
  heroText: 200,
  note: 200,
  footerLine: 160,
  footerTitle: 40,
  footerLabel: 40,
  railTitle: 60,
} as const;

export const themes = ['dark', 'light'] as const;
export type ThemeName = (typeof themes)[number];
export type ThemeColors = { accent: string; ground: string };

/** The defaults. */
export const defaultColors: Record<ThemeName, ThemeColors> = {
  dark: { accent: '#f5b48c', ground: '#141012' },
  light: { accent: '#9e4119', ground: '#f8f4f3' },
};

export function isHex(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** Colors that do not change (styles/tokens.css). */
const fixed = {
  dark: { text: '#f7f0ea', soft: '#d9cdc6', muted: '#afa19c', love: '#ff8fa6', danger: '#ff8a80', success: '#93d3a6' },
  light: { text: '#241819', soft: '#44373a', muted: '#6b5a5b', love: '#be2350', danger: '#b3261e', success: '#1f6b41' },
} as const;

export const tokenNames = [
  'bg',
  'surface',
  'raised',
  'overlay',
  'line',
  'control-line',
  'track',
  'accent',
  'accent-hover',
  'accent-press',
  'accent-contrast',
  'accent-text',
  'accent-soft',
  'focus',
] as const;
export type Tokens = Record<(typeof tokenNames)[number], string>;

export type ContrastProblem = {
  /** The color to change. */
  of: 'accent' | 'ground';
  /** Second half of a sentence that begins with the color, for example `makes text hard to read`. */
  effect: string;
  ratio: number;
  needed: number;
};

export type CheckedColors = {
  tokens: Tokens;
  problems: ContrastProblem[];
  /** The nearest colors without a problem; undefined when there are none, or none are needed. */
  better: ThemeColors | undefined;
};

type Lch = { l: number; c: number; h: number };

function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const value = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, value)) * 255);
}

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = channels(hex).map(toLinear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio (WCAG 2.2), 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// https://bottosson.github.io/posts/oklab/
function toLch(hex: string): Lch {
  const [red, green, blue] = channels(hex).map(toLinear) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const l = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  return { l, c: Math.hypot(a, b), h: Math.atan2(b, a) };
}

function linearOf({ l, c, h }: Lch): [number, number, number] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
}

/** Reduces the chroma where the screen cannot show the color. */
function toHex(color: Lch): string {
  const l = Math.min(1, Math.max(0, color.l));
  let { c } = color;
  while (c > 0.002 && linearOf({ l, c, h: color.h }).some((value) => value < -0.0005 || value > 1.0005)) c *= 0.96;
  const bytes = linearOf({ l, c, h: color.h }).map(toByte);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function mix(one: string, other: string, share: number): string {
  const [a, b] = [channels(one), channels(other)];
  return `#${a
    .map((value, index) =>
      Math.round(value * share + (b[index] ?? 0) * (1 - share))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Shifts the lightness in small steps until the test passes; otherwise returns the last step. */
function shifted(start: string, step: number, isEnough: (hex: string) => boolean): string {
  const color = toLch(start);
  let hex = start;
  while (!isEnough(hex) && color.l > 0 && color.l < 1) {
    color.l += step;
    hex = toHex(color);
  }
  return hex;
}

function tokensOf(theme: ThemeName, { accent, ground }: ThemeColors): Tokens {
  const isDark = theme === 'dark';
  const base = toLch(ground);
  const away = isDark ? 1 : -1;
  const raisedBy = (lightness: number) => toHex({ ...base, l: base.l + lightness });
  const surface = isDark ? raisedBy(0.035) : base.l > 0.9 ? '#ffffff' : raisedBy(0.04);
  const raised = isDark ? raisedBy(0.075) : surface;
  const overlay = isDark ? raisedBy(0.118) : raisedBy(-0.032);
  const grounds = [ground, surface, raised, overlay];
  const soft = mix(accent, ground, isDark ? 0.17 : 0.1);
  const ink = toHex({ ...toLch(accent), l: 0.22, c: 0.04 });
  const onAccent = [isDark ? ink : '#ffffff', isDark ? '#ffffff' : ink, '#000000'].find(
    (color) => contrast(color, accent) >= 4.5,
  );
  const label = onAccent ?? '#000000';
  const tone = toLch(accent);
  const pressed = (lightness: number) => {
    const hex = toHex({ ...tone, l: tone.l + lightness });
    return contrast(hex, label) >= 4.5 ? hex : accent;
  };
  const readable = (hex: string) => [...grounds, soft].every((one) => contrast(hex, one) >= 4.5);
  return {
    bg: ground,
    surface,
    raised,
    overlay,
    line: raisedBy(isDark ? 0.125 : -0.075),
    'control-line': shifted(
      toHex({ ...base, l: isDark ? 0.5 : 0.65, c: Math.min(base.c + 0.012, 0.05) }),
      0.01 * away,
      (hex) => [ground, surface, raised].every((one) => contrast(hex, one) >= 3.2),
    ),
    track: shifted(raisedBy(isDark ? 0.27 : -0.14), isDark ? -0.01 : 0.01, (hex) => contrast(hex, accent) >= 3.05),
    accent,
    'accent-hover': pressed(0.05 * away),
    'accent-press': pressed(isDark ? -0.07 : -0.1),
    'accent-contrast': label,
    'accent-text': shifted(accent, 0.01 * away, readable),
    'accent-soft': soft,
    focus: shifted(toHex({ ...tone, l: isDark ? 0.9 : 0.45, c: tone.c * 0.8 }), 0.01 * away, (hex) =>
      grounds.every((one) => contrast(hex, one) >= 3.2),
    ),
  };
}

function problemsOf(theme: ThemeName, colors: ThemeColors): { tokens: Tokens; problems: ContrastProblem[] } {
  const tokens = tokensOf(theme, colors);
  const still = fixed[theme];
  const grounds = [tokens.bg, tokens.surface, tokens.raised, tokens.overlay];
  const min = (color: string, on: string[]) => Math.min(...on.map((one) => contrast(color, one)));
  const checks: [of: ContrastProblem['of'], effect: string, ratio: number, needed: number][] = [
    ['ground', 'makes text hard to read', min(still.text, grounds), 4.5],
    ['ground', 'makes long texts hard to read', min(still.soft, grounds.slice(0, 3)), 4.5],
    ['ground', 'makes dates and lengths hard to read', min(still.muted, grounds), 4.5],
    ['ground', 'hides error messages', min(still.danger, grounds.slice(0, 3)), 4.5],
    ['ground', 'hides what is done', min(still.success, grounds.slice(0, 1)), 4.5],
    ['ground', 'hides the hearts of favorites', min(still.love, grounds.slice(0, 3)), 4.5],
    ['ground', 'hides the borders of fields', min(tokens['control-line'], grounds.slice(0, 3)), 3],
    ['ground', 'hides which control has the focus', min(tokens.focus, grounds), 3],
    ['accent', 'is hard to see on the ground', min(tokens.accent, grounds.slice(0, 3)), 3],
    ['accent', 'makes labels of buttons hard to read', min(tokens['accent-contrast'], [tokens.accent]), 4.5],
    [
      'accent',
      'gives links that are hard to read',
      min(tokens['accent-text'], [...grounds, tokens['accent-soft']]),
      4.5,
    ],
    ['accent', 'does not show how far an audio was heard', contrast(tokens.accent, tokens.track), 3],
    ['accent', 'hides text on tinted parts', min(still.text, [tokens['accent-soft']]), 4.5],
  ];
  return {
    tokens,
    problems: checks
      .filter(([, , ratio, needed]) => ratio < needed)
      .map(([of, effect, ratio, needed]) => ({ of, effect, ratio: Math.floor(ratio * 10) / 10, needed })),
  };
}

/** Derives all colors of a theme from two, and checks every pair that must be distinguishable. */
export function checkColors(theme: ThemeName, given: ThemeColors): CheckedColors {
  const colors = { accent: given.accent.toLowerCase(), ground: given.ground.toLowerCase() };
  const { tokens, problems } = problemsOf(theme, colors);
  return { tokens, problems, better: problems.length === 0 ? undefined : findBetter(theme, colors) };
}

/** First moves the ground towards the theme's end, then the accent away from it. */
function findBetter(theme: ThemeName, given: ThemeColors): ThemeColors | undefined {
  const away = theme === 'dark' ? 0.01 : -0.01;
  const ground = toLch(given.ground);
  for (let tries = 0; tries < 100; tries += 1) {
    const next = tries === 0 ? given.ground : toHex(ground);
    if (problemsOf(theme, { ...given, ground: next }).problems.every(({ of }) => of !== 'ground')) {
      const accent = toLch(given.accent);
      for (let steps = 0; steps < 100; steps += 1) {
        const colors = { ground: next, accent: steps === 0 ? given.accent : toHex(accent) };
        if (problemsOf(theme, colors).problems.length === 0) return colors;
        accent.l += away;
        if (accent.l < 0 || accent.l > 1) break;
      }
    }
    ground.l -= away;
    if (ground.l < 0 || ground.l > 1) return undefined;
  }
  return undefined;
}
