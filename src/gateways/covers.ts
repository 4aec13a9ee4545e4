import type { Covers } from '#domain/gateways.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import { waitOutsideSlot } from '#domain/kernel/worker-slot.ts';
import { type Pictures, arrivingPictures, orUndefined, PictureTooCostly, shownPictures } from './pictures/pictures.ts';

export function openCovers(arriving = arrivingPictures): Covers {
  // A picture that waits for its turn keeps no place of a call that needs the database.
  const pictures: Pictures = { run: (...work) => waitOutsideSlot(() => arriving.run(...work)) };
  return {
    encode: (picture) => orRefusal(pictures.run('encode', picture)),
    keep: (picture) => orRefusal(pictures.run('keep', picture)),
    measure: (image) => orUndefined(pictures.run('measure', image)),
    cut: (image, area) => orRefusal(pictures.run('cut', image, area)),
    render: (picture, to) => orRefusal(pictures.run('render', picture, to)),
    draw: (seed) => pictures.run('draw', seed),
    isDecodable: async (image) => (await orUndefined(pictures.run('isDecodable', image))) ?? false,
  };
}

/** Pixels; undefined when it cannot be read. */
export async function smallerSideOf(image: Uint8Array): Promise<number | undefined> {
  const size = await orUndefined(shownPictures.run('measure', image));
  return size && Math.min(size.width, size.height);
}

/** @throws DomainError for a picture that takes too much memory or time */
async function orRefusal<Result>(running: Promise<Result>): Promise<Result | undefined> {
  const refused = running.catch((error: unknown) => {
    throw error instanceof PictureTooCostly ? new DomainError('picture/too-costly') : error;
  });
  return orUndefined(refused);
}
