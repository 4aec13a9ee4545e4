/** Time zones of the tests. None is UTC, and the site and its browsers differ, as they do in the world. */
export const siteTimeZone = 'Asia/Kolkata';
export const browserTimeZone = 'America/Bogota';
/** UTC−5, UTC+5:30 and UTC+13. */
export const timeZones = [browserTimeZone, siteTimeZone, 'Pacific/Apia'] as const;
/** An operator's PostgreSQL may have any: days of the site are in UTC by its queries, not by the server's setting. */
export const databaseTimeZone = 'Pacific/Apia';
