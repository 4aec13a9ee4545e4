/** Mark and site name. Decorative: the surrounding link or heading has the name as text. */
export function Logo({ siteName }: { siteName: string }) {
  return (
    <>
      <svg
        className="logo__mark"
        viewBox="0 0 32 24"
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
        strokeWidth="2"
        aria-hidden="true"
      >
        <path d="M2 3.5C11 4.5 18 10 25 12M2 12H25M2 20.5C11 19.5 18 14 25 12" />
        <circle cx="27" cy="12" r="3.2" fill="currentColor" stroke="none" />
      </svg>
      {siteName === 'Sotto' ? (
        <svg className="logo__word" viewBox="0 -110.25 286 150" aria-hidden="true">
          <path d={wordmark} />
        </svg>
      ) : (
        <span aria-hidden="true">{siteName}</span>
      )}
    </>
  );
}

/**
 * “Sotto” in Newsreader Italic, weight 480, as a path: five letters do not justify a 147 kB font file. Both “t” and
 * both “o” are the same to the digit, which compresses better. Other names use the upright font.
 */
const wordmark =
  'M75-89q-4-4-9-6-4-3-11-3-7 0-12 3-4 2-7 6-2 4-2 10 0 6 2 9 3 4 8 6 5 3 10 6 5 2 9 6 5 3 7 8 3 5 3 13 0 10-6 17-5 8-14 12-9 4-22 4-7 0-13-1-6-1-11-4l-1-27 3 0 12 27-6-5q4 2 8 3 4 1 8 1 10 0 16-3 6-2 9-7 4-5 4-12 0-6-2-9-2-4-6-6-3-3-7-5-4-2-8-4-5-3-8-6-4-3-6-7-2-4-2-10 0-9 5-16 4-7 12-11 8-3 19-3 6 0 11 1 5 1 11 3l-6-1 11-6 1 0-5 35-3 0-6-26zM118-68q7 0 12 2 4 3 7 8 2 5 2 13 0 9-3 17-3 9-8 15-5 7-12 11-7 4-15 4-7 0-11-3-5-3-7-8-3-5-3-12 0-9 3-18 3-8 8-15 6-7 13-10 6-4 14-4zm-17 65q4 0 7-3 4-3 7-8 4-5 6-11 2-6 4-13 1-6 1-13 0-6-2-9-2-3-6-3-3 0-7 2-4 3-7 8-3 5-6 11-2 6-3 13-2 7-2 13 0 7 2 10 2 3 6 3zM147-61l1-6 41 0-1 6zm13 42q0 2-1 3 0 2 0 3 0 0 0 1 0 2 0 2 1 1 2 1 2 0 4-2 3-2 6-5 4-3 8-8l2 2q-4 6-8 10-3 5-7 8-3 3-6 4-4 2-6 2-4 0-6-2-3-2-3-7 0-3 1-6 0-3 2-7l18-62 13 0zM190-61l1-6 41 0-1 6zm13 42q0 2-1 3 0 2 0 3 0 0 0 1 0 2 0 2 1 1 2 1 2 0 4-2 3-2 6-5 4-3 8-8l2 2q-4 6-8 10-3 5-7 8-3 3-6 4-4 2-6 2-4 0-6-2-3-2-3-7 0-3 1-6 0-3 2-7l18-62 13 0zM266-68q7 0 12 2 4 3 7 8 2 5 2 13 0 9-3 17-3 9-8 15-5 7-12 11-7 4-15 4-7 0-11-3-5-3-7-8-3-5-3-12 0-9 3-18 3-8 8-15 6-7 13-10 6-4 14-4zm-17 65q4 0 7-3 4-3 7-8 4-5 6-11 2-6 4-13 1-6 1-13 0-6-2-9-2-3-6-3-3 0-7 2-4 3-7 8-3 5-6 11-2 6-3 13-2 7-2 13 0 7 2 10 2 3 6 3z';
