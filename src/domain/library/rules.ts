/** The names of spec §3, as they stand in the database and in the API. */
export const playlistBackgrounds = [
  'Pink to Blue',
  'Blue to Green',
  'Pink to Orange',
  'Purple to Blue',
  'Blue to Orange',
] as const;
export type PlaylistBackground = (typeof playlistBackgrounds)[number];

export const playlistFonts = ['Helvetica Neue', 'Lora Bold', 'Playfair Display Semibold', 'Teko Regular'] as const;
export type PlaylistFont = (typeof playlistFonts)[number];
