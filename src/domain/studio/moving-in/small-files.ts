import { type Covers, type Web, WebRefusal } from '../../gateways.ts';
import { DomainError } from '../../kernel/errors.ts';

/** @param keepsFile one that is as the site keeps them stays as it is, so that it loses nothing on its way */
export async function encodePicture(
  covers: Covers,
  picture: Uint8Array,
  keepsFile: boolean,
): Promise<Uint8Array | undefined> {
  try {
    const encoded = await covers.encode(picture);
    return encoded !== undefined && keepsFile && isWebp(picture) ? picture : encoded;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'picture/too-costly') return undefined;
    throw error;
  }
}

const isWebp = (picture: Uint8Array) => Buffer.from(picture.subarray(8, 12)).toString('latin1') === 'WEBP';

/** An audio comes without what cannot be had. */
export async function readSmall(
  web: Pick<Web, 'read'>,
  address: string,
  limits: Parameters<Web['read']>[1],
): Promise<Buffer | undefined> {
  try {
    return (await web.read(address, limits)).content;
  } catch (error) {
    limits.signal?.throwIfAborted();
    if (error instanceof WebRefusal) return undefined;
    throw error;
  }
}
