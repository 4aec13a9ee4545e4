import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import type { PlaceOnHome, PlaylistPlaces } from '#domain/admin/content/playlist-places.ts';
import { formatCount } from '#formats/numbers.ts';

/** Pages that link to the playlist; undefined while it is not published. */
export function PlaylistPlacesPanel({ places }: { places: PlaylistPlaces | undefined }) {
  return (
    <section className="pane" aria-labelledby="places">
      <h2 className="pane-title mb-3" id="places">
        Where it shows
      </h2>
      {places === undefined ? (
        <p className="text-14 text-muted">Nowhere until it is published.</p>
      ) : (
        <dl className="grid gap-3">
          <Place name="Playlists">
            Number {formatCount(places.place)} of {formatCount(places.of)}
          </Place>
          <Place name="Homepage for visitors">{onHome(places.home.visitors)}</Place>
          <Place name="Home of listeners">{onHome(places.home.listeners)}</Place>
        </dl>
      )}
      <p className="text-13 mt-4 flex flex-wrap gap-x-4 gap-y-2">
        <Link className="link" to={href('/admin/playlists')}>
          Change the order
        </Link>
        <Link className="link" to={href('/admin/home')}>
          Change Home
        </Link>
      </p>
    </section>
  );
}

function Place({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-semibold text-14">{name}</dt>
      <dd className="text-13 text-muted">{children}</dd>
    </div>
  );
}

function onHome(place: PlaceOnHome): string {
  if (place === undefined) return 'Not shown';
  if (place.rail === 'all') return `Position ${formatCount(place.place)} in the playlists row`;
  return place.title === null ? 'Its own row' : `Its own row, “${place.title}”`;
}
