import { type LanguageFacts, languages } from './language-facts.ts';
import type { Language } from './languages.ts';
import type { NumberSigns } from './grouping.ts';

/**
 * How a language writes dates and numbers. `Intl` of Node alone knows it, on the server and while it builds the scripts
 * of browsers: each version of an engine has its own names and signs (`Sept`, `Sep`), and server and browser must write
 * the same. A pattern has `%d`, `%m` and `%y`.
 */
export type FormatFacts = {
  numbers: NumberSigns;
  /** Before the decimals of a number. */
  decimal: string;
  /** `2 Nov` */
  shortDate: string;
  /** `2 Nov 2026` */
  date: string;
  shortMonths: string[];
  /** `2 November 2026` */
  day: string;
  /** As in a day. */
  months: string[];
  /** `November 2026` */
  month: string;
  /** Without a day, which some languages decline in another way. */
  monthNames: string[];
  /** From Sunday on. */
  weekdays: string[];
  shortWeekdays: string[];
};

/** Everything that depends on the language alone. */
export type AllFacts = LanguageFacts & FormatFacts;

const known = new Map<Language, AllFacts>();

export function factsOf(language: Language): AllFacts {
  const facts = known.get(language) ?? {
    ...languages[language],
    ...formatFactsOf(languages[language]),
  };
  known.set(language, facts);
  return facts;
}

function formatFactsOf({ intl, dates = intl }: LanguageFacts): FormatFacts {
  const [day, short, long, year] = ['numeric', 'short', 'long', 'numeric'] as const;
  return {
    numbers: {
      group: signOf(intl, 'group', 1e6),
      from: signOf(intl, 'group', 1000) === '' ? 10_000 : 1000,
      minus: new Intl.NumberFormat(intl).format(-1).slice(0, -1),
    },
    decimal: signOf(intl, 'decimal', 0.5),
    shortDate: patternOf(dates, { day, month: short }),
    date: patternOf(dates, { day, month: short, year }),
    shortMonths: monthsOf(intl, { day, month: short, year }),
    day: patternOf(dates, { day, month: long, year }),
    months: monthsOf(intl, { day, month: long, year }),
    month: patternOf(dates, { month: long, year }),
    monthNames: monthsOf(intl, { month: long, year }),
    weekdays: weekdaysOf(intl, long),
    shortWeekdays: weekdaysOf(intl, short),
  };
}

type Options = Intl.DateTimeFormatOptions;

function formatOf(tag: string, options: Options): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, { timeZone: 'UTC', calendar: 'gregory', ...options });
}

const places: Partial<Record<string, string>> = { day: '%d', month: '%m', year: '%y' };

function patternOf(tag: string, options: Options): string {
  return formatOf(tag, options)
    .formatToParts(0)
    .map(({ type, value }) => places[type] ?? value)
    .join('');
}

function monthsOf(tag: string, options: Options): string[] {
  const format = formatOf(tag, options);
  return Array.from(
    { length: 12 },
    (_, month) => format.formatToParts(Date.UTC(2026, month)).find(({ type }) => type === 'month')?.value ?? '',
  );
}

/** 1 November 2026 was a Sunday. */
function weekdaysOf(tag: string, weekday: 'long' | 'short'): string[] {
  const format = formatOf(tag, { weekday });
  return Array.from({ length: 7 }, (_, index) => format.format(Date.UTC(2026, 10, 1 + index)));
}

function signOf(tag: string, type: Intl.NumberFormatPartTypes, value: number): string {
  return new Intl.NumberFormat(tag).formatToParts(value).find((part) => part.type === type)?.value ?? '';
}
