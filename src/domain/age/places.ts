import { languageFacts } from '#i18n';

/** ISO 3166-1, without territories that have no people. */
const countryCodes =
  'AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';

export const countries: readonly string[] = countryCodes.split(' ');

/** States of the United States, by ISO 3166-2. */
const states: Readonly<Record<string, string>> = {
  'US-AL': 'Alabama',
  'US-AK': 'Alaska',
  'US-AZ': 'Arizona',
  'US-AR': 'Arkansas',
  'US-CA': 'California',
  'US-CO': 'Colorado',
  'US-CT': 'Connecticut',
  'US-DE': 'Delaware',
  'US-DC': 'District of Columbia',
  'US-FL': 'Florida',
  'US-GA': 'Georgia',
  'US-HI': 'Hawaii',
  'US-ID': 'Idaho',
  'US-IL': 'Illinois',
  'US-IN': 'Indiana',
  'US-IA': 'Iowa',
  'US-KS': 'Kansas',
  'US-KY': 'Kentucky',
  'US-LA': 'Louisiana',
  'US-ME': 'Maine',
  'US-MD': 'Maryland',
  'US-MA': 'Massachusetts',
  'US-MI': 'Michigan',
  'US-MN': 'Minnesota',
  'US-MS': 'Mississippi',
  'US-MO': 'Missouri',
  'US-MT': 'Montana',
  'US-NE': 'Nebraska',
  'US-NV': 'Nevada',
  'US-NH': 'New Hampshire',
  'US-NJ': 'New Jersey',
  'US-NM': 'New Mexico',
  'US-NY': 'New York',
  'US-NC': 'North Carolina',
  'US-ND': 'North Dakota',
  'US-OH': 'Ohio',
  'US-OK': 'Oklahoma',
  'US-OR': 'Oregon',
  'US-PA': 'Pennsylvania',
  'US-RI': 'Rhode Island',
  'US-SC': 'South Carolina',
  'US-SD': 'South Dakota',
  'US-TN': 'Tennessee',
  'US-TX': 'Texas',
  'US-UT': 'Utah',
  'US-VT': 'Vermont',
  'US-VA': 'Virginia',
  'US-WA': 'Washington',
  'US-WV': 'West Virginia',
  'US-WI': 'Wisconsin',
  'US-WY': 'Wyoming',
};

export const places: readonly string[] = [...countries, ...Object.keys(states)];
const known = new Set(places);

export function isPlace(code: string): boolean {
  return known.has(code);
}

/**
 * The region of a country and a state, as proxies and databases write them; states outside of the United States do not
 * matter. Undefined for codes without a place, such as Cloudflare's `XX` and `T1`.
 */
export function regionOf(country: string | undefined, state?: string): string | undefined {
  const [code = '', own] = (country ?? '').trim().toUpperCase().split('-');
  if (!known.has(code)) return undefined;
  const region = `${code}-${(own ?? state ?? '').trim().toUpperCase()}`;
  return region in states ? region : code;
}

/** @param countryName in the reader's language, such as that of `Intl.DisplayNames` */
export function placeName(place: string, countryName: (code: string) => string): string {
  const state = states[place];
  return state === undefined ? countryName(place) : `${state}, ${countryName('US')}`;
}

/** In the language of the request. Server only, because engines differ. */
export function nameOf(place: string): string {
  const names = new Intl.DisplayNames([languageFacts().intl], { type: 'region' });
  return placeName(place, (code) => names.of(code) ?? code);
}

/** All countries by name, in the language of the request. Server only, because engines differ. */
export const countryChoices = () => choicesOf(countries);

/** All places by name, in the language of the request. Server only, because engines differ. */
export const placeChoices = () => choicesOf(places);

function choicesOf(codes: readonly string[]): { value: string; label: string }[] {
  const { intl } = languageFacts();
  const choices = codes.map((value) => ({ value, label: nameOf(value) }));
  const { compare } = new Intl.Collator(intl);
  return choices.toSorted((a, b) => compare(a.label, b.label));
}
